import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf } from '../../shell/router.ts'

interface Source {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly writeKey: string
}

const first = JSON.stringify(
  {
    type: 'track',
    event: 'Order Completed',
    userId: 'u1',
    properties: { order_id: 'o-1', total: 42, currency: 'EUR' },
  },
  null,
  2,
)

/** Sends an event as a sender would, through all stages. It needs a write key, which only tokens that may write see. */
export function SendEvent({
  event = first,
  sourceId,
}: {
  readonly event?: string
  readonly sourceId?: string | undefined
}) {
  const [text, setText] = useState(event)
  const [chosen, setChosen] = useState(sourceId)
  const [sent, setSent] = useState<string>()
  const { value: sources = [] } = usePolled(
    'sources',
    (signal) => readAll<Source>('/v2/sources', 'sources', signal),
    30_000,
  ).state.value
  const action = useAction()
  if (!allows('write') || sources.length === 0) return null
  const source = sources.find(({ id }) => id === chosen) ?? sources[0]
  const send = (): void =>
    void action.run(async () => {
      const messageId = crypto.randomUUID()
      const given = JSON.parse(text) as object
      await request('/v1/batch', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${source?.writeKey}:`)}` },
        body: { batch: [{ ...given, messageId }] },
      })
      setSent(messageId)
      return `Accepted from ${source?.name}.`
    })
  return (
    <Panel title="Send an event">
      <div class="row">
        <label>
          as
          <select value={source?.id} onChange={(change) => setChosen(change.currentTarget.value)}>
            {sources.map(({ id, name, enabled }) => (
              <option key={id} value={id} disabled={!enabled}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="main" disabled={action.isBusy} onClick={send}>
          Send it to all connected destinations
        </button>
        {sent === undefined ? null : <a href={addressOf(`/live/${sent}`)}>Its journey</a>}
      </div>
      <label class="field">
        Event, without its messageId
        <textarea rows={10} spellcheck={false} value={text} onInput={(change) => setText(change.currentTarget.value)} />
      </label>
      <Outcome action={action} />
    </Panel>
  )
}
