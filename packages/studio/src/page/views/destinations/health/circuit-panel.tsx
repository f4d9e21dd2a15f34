import { countText } from '../../../parts/format/count.tsx'
import { durationText } from '../../../parts/format/duration-text.ts'
import { Time } from '../../../parts/format/time.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { StateSentence } from '../../../parts/page/state-sentence.tsx'
import { addressOf } from '../../../shell/router.ts'
import { circuitTryPath, TryButton } from '../../watch/try-button.tsx'
import { CircuitLine, type Circuits } from '../circuit.tsx'
import type { Destination } from '../records.ts'
import { healthOf } from './health-pill.tsx'

type Circuit = NonNullable<ReturnType<Circuits['of']>>

interface CircuitPanelProps {
  readonly destination: Destination
  readonly circuit: Circuit | undefined
  readonly onChanged: () => Promise<void>
}

/** Whether events get through now, what waits, and the next step. */
export function CircuitPanel({ destination, circuit, onChanged }: CircuitPanelProps) {
  const { id, name, enabled } = destination
  if (circuit === undefined)
    return (
      <Panel title="Now">
        <StateSentence state="idle">
          <b>{name} is off.</b> <span>Nothing is sent to it, and no event waits for it.</span>
        </StateSentence>
      </Panel>
    )
  const { waiting, oldestAt, endedLately, failedLately, nextTryAt } = circuit
  const isFailing = circuit.health === 'failing'
  return (
    <Panel title="Now" actions={<CircuitLine circuit={circuit} name={name} pending={waiting} onChanged={onChanged} />}>
      <StateSentence
        state={healthOf(enabled, circuit).state}
        actions={
          <div class="row">
            {circuit.state === 'open' ? (
              <TryButton path={circuitTryPath(id)} name={name} onChanged={onChanged} />
            ) : null}
            {isFailing || failedLately > 0 ? (
              <a class="btn" href={addressOf('/failed', { destination: id })}>
                See why
              </a>
            ) : null}
          </div>
        }
      >
        <b>{sentenceOf(circuit, name)}</b>
      </StateSentence>
      <dl class="circuit-facts">
        <div>
          <dt>Events wait</dt>
          <dd>{countText(waiting)}</dd>
        </div>
        <div>
          <dt>The oldest for</dt>
          <dd>{oldestAt === undefined ? '–' : durationText(Math.max(0, Date.now() - Date.parse(oldestAt)))}</dd>
        </div>
        <div>
          <dt>Ended in 5 minutes</dt>
          <dd>{countText(endedLately)}</dd>
        </div>
        <div>
          <dt>Failed of them</dt>
          <dd class={failedLately > 0 ? 'in bad' : ''}>{countText(failedLately)}</dd>
        </div>
        {nextTryAt === undefined ? null : (
          <div>
            <dt>Next try</dt>
            <dd>
              <Time at={nextTryAt} />
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}

function sentenceOf({ health, waiting, endedLately, failedLately }: Circuit, name: string): string {
  switch (health) {
    case 'failing':
      return `${countText(failedLately)} of the ${countText(endedLately)} events that ended in five minutes failed.`
    case 'waiting':
      return `${name} does not answer: one request tries again, ${countText(waiting)} events wait. None is lost.`
    case 'slow':
      return `${name} takes much longer than usual; ${countText(waiting)} events wait.`
    case 'paused':
      return `${name} is paused: ${countText(waiting)} events wait on disk until it is resumed.`
    case 'works':
      return 'Events end well.'
    default:
      return 'Nothing ended lately, and nothing waits.'
  }
}
