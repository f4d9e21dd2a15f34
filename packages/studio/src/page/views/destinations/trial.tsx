import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Destination } from './records.ts'

const sample = JSON.stringify(
  {
    type: 'track',
    event: 'Order Completed',
    userId: 'u1',
    properties: { order_id: 'o-1', total: 42, currency: 'EUR' },
  },
  null,
  2,
)

/** Takes one event through the stages of a destination, and shows what each made of it. It is counted nowhere. */
export function Trial({ destination }: { readonly destination: Destination }) {
  const [text, setText] = useState(sample)
  const [isSent, setSent] = useState(false)
  const [result, setResult] = useState<unknown>()
  const action = useAction()
  const run = (): void =>
    void action.run(async () => {
      const stage = {
        user_transform: destination.transformation !== undefined,
        dest_transform: true,
        send_to_destination: isSent,
      }
      const body = { stage, message: JSON.parse(text) as unknown }
      setResult(
        await request(`/v0/testDestination/${encodeURIComponent(destination.id)}?force=true`, {
          method: 'POST',
          body,
          waitMs: 120_000,
        }),
      )
      return undefined
    })
  if (!allows('operate')) return null
  return (
    <section class="card" aria-label="Try an event">
      <h2>Try an event</h2>
      <div class="columns">
        <div>
          <label class="field">
            Event
            <textarea
              rows={12}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <p class="row">
            <label>
              <input type="checkbox" checked={isSent} onChange={(event) => setSent(event.currentTarget.checked)} />
              Send it for real
            </label>
            <button type="button" class="main" disabled={action.isBusy} onClick={run}>
              {isSent ? 'Run and send' : 'Run'}
            </button>
          </p>
          <Outcome action={action} />
        </div>
        {result === undefined ? null : <JsonBlock label="What each stage made of it" value={result} />}
      </div>
    </section>
  )
}
