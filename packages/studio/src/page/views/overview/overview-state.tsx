import type { CircuitsAnswer } from '@sluice/http'
import type { ComponentChildren } from 'preact'
import type { EventState } from '../../parts/event-state.ts'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Time } from '../../parts/format/time.tsx'
import { StateSentence } from '../../parts/page/state-sentence.tsx'
import { addressOf } from '../../shell/router.ts'
import { PauseButton } from '../watch/pause-button.tsx'
import { circuitTryPath, TryButton } from '../watch/try-button.tsx'
import { nameIn, type Place } from '../watch/watched-places.ts'

type Circuit = CircuitsAnswer['workspaces'][number]['destinations'][number]

interface OverviewStateProps {
  readonly destinations: readonly Place[]
  readonly circuits: readonly Circuit[]
  /** Places whose counters do not add up. */
  readonly unequal: readonly string[]
  /** Failed events that are kept. */
  readonly keptFailed: number
  /** The status or error that a destination answered with last. */
  readonly answerOf: (destinationId: string) => string | undefined
  readonly onChanged: () => Promise<void>
}

/** How everything is, in one sentence with its next step: the most urgent that is known comes first. */
export function OverviewState(props: OverviewStateProps) {
  const { destinations, circuits, unequal, keptFailed, answerOf, onChanged } = props
  const of = (health: Circuit['health']) => circuits.filter((circuit) => circuit.health === health)
  const [failing, waiting, paused, slow] = [of('failing'), of('waiting'), of('paused'), of('slow')]
  const name = (circuit: Circuit): string => nameIn(destinations, circuit.destinationId)
  const others = (count: number): string => {
    const rest = circuits.filter(({ health }) => health === 'works' || health === 'idle').length
    if (count === circuits.length || rest === 0) return ''
    return rest === 1 ? ' The other destination works.' : ` The other ${rest} destinations work.`
  }
  const [first] = [...failing, ...waiting]
  if (first !== undefined && first.health === 'failing')
    return (
      <Sentence
        state="bad"
        title={`${list(failing.map(name))} ${failing.length === 1 ? 'fails' : 'fail'}.`}
        actions={
          <>
            <Link to="/failed" filters={{ destination: first.destinationId }} text="See why" />
            {first.state === 'open' ? (
              <TryButton path={circuitTryPath(first.destinationId)} name={name(first)} onChanged={onChanged} />
            ) : null}
            <Link to={`/destinations/${encodeURIComponent(first.destinationId)}`} text="Look at it" />
          </>
        }
      >
        {countText(first.failedLately)} of {countText(first.endedLately)} events that ended in the last five minutes
        failed. They are kept, and can be sent again.{others(failing.length)}
      </Sentence>
    )
  if (first !== undefined) {
    const answer = answerOf(first.destinationId)
    return (
      <Sentence
        state="bad"
        title={`${list(waiting.map(name))} ${waiting.length === 1 ? 'does' : 'do'} not answer.`}
        actions={
          <>
            {first.state === 'open' ? (
              <TryButton path={circuitTryPath(first.destinationId)} name={name(first)} onChanged={onChanged} />
            ) : null}
            <Link to={`/destinations/${encodeURIComponent(first.destinationId)}`} text="Look at it" />
          </>
        }
      >
        {answer === undefined
          ? null
          : answer === 'network'
            ? 'There is no answer'
            : `The last failing answer was ${answer}`}
        {first.failingSince === undefined || answer === undefined ? null : (
          <>
            ; the first failure was <Time at={first.failingSince} />
          </>
        )}
        {answer === undefined ? '' : '. '}
        {countText(waitingIn(waiting))} events wait and none is lost
        {first.nextTryAt === undefined ? (
          ''
        ) : (
          <>
            ; the next try is <NextTry at={first.nextTryAt} />
          </>
        )}
        .{others(waiting.length)}
      </Sentence>
    )
  }
  if (unequal.length > 0)
    return (
      <Sentence
        state="bad"
        title={`The sums do not agree at ${list(unequal)}.`}
        actions={<Link to="/flow" text="See the sums" />}
      >
        Events are missing from the counts of what became of them, or counted twice.
      </Sentence>
    )
  const [held] = paused
  if (held !== undefined)
    return (
      <Sentence
        state="wait"
        title={`${list(paused.map(name))} ${paused.length === 1 ? 'is' : 'are'} paused.`}
        actions={
          <PauseButton
            destinationId={held.destinationId}
            name={name(held)}
            isPaused
            waiting={held.waiting}
            onChanged={onChanged}
          />
        }
      >
        {held.reason ? `${held.reason} ` : ''}
        {countText(waitingIn(paused))} events wait and none is lost.{others(paused.length)}
      </Sentence>
    )
  const [late] = slow
  if (late !== undefined)
    return (
      <Sentence
        state="wait"
        title={`${list(slow.map(name))} ${slow.length === 1 ? 'is' : 'are'} slow.`}
        actions={<Link to={`/destinations/${encodeURIComponent(late.destinationId)}`} text="Look at it" />}
      >
        {countText(waitingIn(slow))} events wait
        {late.oldestAt === undefined
          ? ''
          : `, the oldest for ${durationText(Math.max(0, Date.now() - Date.parse(late.oldestAt)))}`}
        .{others(slow.length)}
      </Sentence>
    )
  if (keptFailed > 0)
    return (
      <Sentence state="wait" title="All destinations work." actions={<Link to="/failed" text="See why" />}>
        {keptFailed === 1 ? '1 failed event is kept' : `${countText(keptFailed)} failed events are kept`}, to be mended
        and sent again.
      </Sentence>
    )
  return (
    <Sentence state="good" title="All is well.">
      Every event is accounted for, and no failed event waits to be mended.
    </Sentence>
  )
}

interface SentenceProps {
  readonly state: EventState
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

function Sentence({ state, title, actions, children }: SentenceProps) {
  return (
    <StateSentence state={state} actions={actions ? <div class="row">{actions}</div> : undefined}>
      <b>{title}</b> <span>{children}</span>
    </StateSentence>
  )
}

function Link({ to, filters, text }: { to: string; filters?: Readonly<Record<string, string>>; text: string }) {
  return (
    <a class="btn" href={addressOf(to, filters)}>
      {text}
    </a>
  )
}

function NextTry({ at }: { readonly at: string }) {
  const ms = Date.parse(at) - Date.now()
  return ms > 0 ? (
    <time dateTime={at} title={at}>
      in {durationText(ms)}
    </time>
  ) : (
    <>now</>
  )
}

function waitingIn(circuits: readonly Circuit[]): number {
  return circuits.reduce((sum, { waiting }) => sum + waiting, 0)
}

/** Returns names in a sentence. */
function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
