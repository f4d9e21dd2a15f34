import type { CircuitsAnswer } from '@sluice/http'
import { rounded } from '../../parts/charts/plot-line.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { ExactTime } from '../../parts/format/exact-time.tsx'
import { Time } from '../../parts/format/time.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf } from '../../shell/router.ts'
import type { Place } from '../watch/watched-places.ts'
import type { DestinationTrace, EventTry } from './event-trace.ts'
import { outcomeWords } from './outcome-words.ts'

type CircuitState = CircuitsAnswer['workspaces'][number]['destinations'][number]

interface AtDestinationProps {
  readonly trace: DestinationTrace
  readonly place: Place | undefined
  readonly name: string
  /** How the destination does; undefined while that is not known. */
  readonly circuit: CircuitState | undefined
  readonly acceptedAt: string | undefined
  /** Width of the bar in milliseconds. */
  readonly scaleMs: number
}

/** One destination of a journey: its bar, its stages, why it did not arrive, and the tries. */
export function AtDestination({ trace, place, name, circuit, acceptedAt, scaleMs }: AtDestinationProps) {
  const { outcome, stages, at, reason, code, docs, outputs, attempts, tries = [], nextTryAt, deadLetterIds } = trace
  const { state, word } = outcomeWords[outcome] ?? { state: 'ink', word: outcome }
  const took = acceptedAt && at ? Math.max(0, Date.parse(at) - Date.parse(acceptedAt)) : undefined
  const transformation = place?.transformation
  return (
    <li class={state}>
      <LetterMark name={place?.type ?? name} />
      <section aria-label={`at ${name}`}>
        <div class="row apart">
          <b>{name}</b>
          <span class={state === 'bad' || state === 'wait' ? `in ${state}` : ''}>
            {word}
            {took === undefined ? '' : ` ${durationText(took)} after it was accepted`}
            {nextTryAt === undefined ? '' : `, next try ${inText(nextTryAt)}`}
          </span>
        </div>
        <TraceBar trace={trace} acceptedAt={acceptedAt} scaleMs={scaleMs} />
        <small>
          {stages
            .map(({ stage, outcome: ended }) => `${stageNames[stage] ?? stage} ${ended === 'passed' ? '✓' : ended}`)
            .join(' → ')}
          {outputs > 0 ? `, ${outputs === 1 ? '1 request' : `${countText(outputs)} requests`}` : ''}
          {attempts !== undefined && attempts > 1 ? `, ${countText(attempts)} attempts` : ''}
        </small>
        {outcome !== 'delivered' && state === 'wait' && circuit ? <WhyItWaits name={name} circuit={circuit} /> : null}
        {reason ? (
          <p>
            {code ? <ErrorCode code={code} docs={docs} /> : null} {reason}
          </p>
        ) : null}
        <div class="row">
          {deadLetterIds.map((id) => (
            <a key={id} href={addressOf(`/failed/${encodeURIComponent(id)}`)}>
              Request, reply and replay
            </a>
          ))}
          {reason && transformation?.id !== undefined && code?.startsWith('transform.') ? (
            <a href={addressOf(`/transformations/${encodeURIComponent(transformation.id)}`)}>
              The code of {transformation.name}
            </a>
          ) : null}
        </div>
        {tries.length > 0 ? <Tries tries={tries} name={name} nextTryAt={nextTryAt} /> : null}
      </section>
    </li>
  )
}

const stageNames: Readonly<Record<string, string>> = {
  connect: 'connection',
  'tracking-plan': 'plan',
  'user-transform': 'your code',
  'destination-transform': 'mapping',
  deliver: 'delivery',
}

/** Why an event waits that is only in the log: its destination is paused, or does not answer. */
function WhyItWaits({ name, circuit }: { readonly name: string; readonly circuit: CircuitState }) {
  const { state, failingSince, nextTryAt } = circuit
  if (state === 'paused') return <p>{name} is paused. The event is sent when it is resumed.</p>
  if (state !== 'open') return null
  return (
    <p>
      {name} does not answer
      {failingSince === undefined ? (
        ''
      ) : (
        <>
          ; the first failure was <Time at={failingSince} />
        </>
      )}
      {nextTryAt === undefined ? '' : `. The next try is ${inText(nextTryAt)}`}. The event waits, and is not lost.
    </p>
  )
}

function inText(at: string): string {
  const ms = Date.parse(at) - Date.now()
  return ms > 0 ? `in ${durationText(ms)}` : 'now'
}

/** The least width of what exists, in per cent. */
const leastWidth = 0.8

function TraceBar({ trace, acceptedAt, scaleMs }: Pick<AtDestinationProps, 'trace' | 'acceptedAt' | 'scaleMs'>) {
  if (acceptedAt === undefined || scaleMs === 0) return null
  const from = Date.parse(acceptedAt)
  const { state } = outcomeWords[trace.outcome] ?? { state: 'ink' }
  const part = (ms: number): number => rounded((Math.max(0, ms) / scaleMs) * 100)
  const whole = trace.at === undefined ? 0 : Math.max(leastWidth, part(Date.parse(trace.at) - from))
  return (
    <svg class="trace" aria-hidden="true">
      {whole > 0 ? <rect class={state} width={`${whole}%`} height="100%" rx="1.5" /> : null}
      {(trace.tries ?? []).map(({ at, tookMs, status = 0 }) => (
        <rect
          key={at}
          class={status >= 200 && status < 300 ? 'good' : 'bad'}
          x={`${part(Date.parse(at) - from)}%`}
          width={`${Math.max(leastWidth, part(tookMs))}%`}
          height="100%"
          rx="1.5"
        />
      ))}
    </svg>
  )
}

function Tries({
  tries,
  name,
  nextTryAt,
}: {
  tries: readonly EventTry[]
  name: string
  nextTryAt: string | undefined
}) {
  return (
    <ol class="tries" aria-label={`Tries at ${name}`}>
      {tries.map(({ at, status, code, tookMs }, n) => (
        <li key={at}>
          <span class="hint">{n + 1}</span>
          <Pill state={status !== undefined && status >= 200 && status < 300 ? 'good' : 'bad'}>
            {status ?? code ?? 'no answer'}
          </Pill>
          <span class="hint">{durationText(tookMs)}</span>
          <span class="hint">
            <ExactTime at={at} />
          </span>
        </li>
      ))}
      {nextTryAt === undefined ? null : (
        <li>
          <span class="hint">{tries.length + 1}</span>
          <Pill state="wait">{inText(nextTryAt)}</Pill>
          <span />
          <span class="hint">
            <ExactTime at={nextTryAt} />
          </span>
        </li>
      )}
    </ol>
  )
}
