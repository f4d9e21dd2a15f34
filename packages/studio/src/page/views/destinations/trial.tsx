import { useState } from 'preact/hooks'
import { allows } from '../../api/session.ts'
import { JsonDifference } from '../../parts/code/json-difference.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Timeline } from '../../parts/page/timeline.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { useAction } from '../../parts/use-action.ts'
import { recordedEvents } from '../compare/recorded-events.ts'
import type { Destination } from './records.ts'
import { type Tried, tryEvent } from './try-event.ts'

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
  const { transformation: code } = destination
  const [text, setText] = useState(sample)
  const [isSent, setSent] = useState(false)
  const [result, setResult] = useState<{ readonly event: unknown; readonly tried: Tried }>()
  const action = useAction()
  const run = (): void =>
    void action.run(async () => {
      const event = JSON.parse(text) as unknown
      setResult({ event, tried: await tryEvent(destination, event, { sends: isSent }) })
      return undefined
    })
  const takeRecorded = (): void =>
    void action.run(async () => {
      const [event] = await recordedEvents(1, destination.id)
      if (event === undefined) return 'No event was recorded yet.'
      setText(JSON.stringify(event, null, 2))
      return undefined
    })
  if (!allows('operate')) return null
  return (
    <div class="grid two">
      <Panel
        title="An event"
        actions={
          <button type="button" class="ghost small" disabled={action.isBusy} onClick={takeRecorded}>
            <Icon name="download" />
            Take a recorded one, masked
          </button>
        }
      >
        <textarea
          class="mono"
          aria-label="Event"
          rows={14}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="row">
          <label>
            <input type="checkbox" checked={isSent} onChange={(event) => setSent(event.currentTarget.checked)} />
            Send it for real
          </label>
          <button type="button" class="main" disabled={action.isBusy} onClick={run}>
            <Icon name="play" />
            {isSent ? 'Run and send' : 'Run'}
          </button>
        </div>
        <Outcome action={action} />
      </Panel>
      <Panel title="What each stage returns for it">
        {result === undefined ? (
          <p class="soft">Nothing yet. It is counted nowhere, and only sent where you say so.</p>
        ) : (
          result.tried.data.map((each, n) => <Stages key={n} each={each} event={result.event} codeName={code?.name} />)
        )}
      </Panel>
    </div>
  )
}

interface StagesProps {
  readonly each: Tried['data'][number]
  readonly event: unknown
  readonly codeName: string | undefined
}

function Stages({ each, event, codeName }: StagesProps) {
  const {
    user_transformed_payload: output,
    dest_transformed_payload: requests,
    destination_response: replies,
    destination_response_status: statuses = [],
    notices = [],
  } = each
  const moment = (key: string, text: string, value: unknown, more: preact.ComponentChildren) => {
    const error = errorOf(value)
    return {
      key,
      state: error === undefined ? ('good' as const) : ('bad' as const),
      icon: error === undefined ? ('check' as const) : ('x' as const),
      text,
      ...(error === undefined ? { more } : { note: error }),
    }
  }
  const count = Array.isArray(requests) ? requests.length : 0
  return (
    <Timeline
      label="Stages"
      moments={[
        ...(codeName === undefined
          ? []
          : [
              moment(
                'code',
                `${codeName} passes it`,
                output,
                <JsonDifference label="What the code changed" before={event} after={output} />,
              ),
            ]),
        ...(requests === undefined
          ? []
          : [
              moment(
                'mapping',
                `The mapping makes ${count} ${count === 1 ? 'request' : 'requests'}`,
                requests,
                <JsonBlock label="What each stage made of it" value={requests} />,
              ),
            ]),
        replies === undefined
          ? { key: 'sent', state: 'idle', icon: 'circle-dashed', text: 'Not sent' }
          : moment(
              'sent',
              `Sent, answered with ${statuses.join(', ')}`,
              replies,
              <JsonBlock label="Replies" value={replies} />,
            ),
        ...notices.map((text) => ({ key: text, state: 'wait' as const, icon: 'triangle-alert' as const, text })),
      ]}
    />
  )
}

/** Returns the text of what a stage answered in place of its result. */
function errorOf(value: unknown): string | undefined {
  const error: unknown = Array.isArray(value) ? undefined : Object(value).error
  return error === undefined ? undefined : String(error)
}
