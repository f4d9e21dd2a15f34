import { JsonDifference } from '../../../parts/code/json-difference.tsx'
import { JsonTree } from '../../../parts/code/json-tree.tsx'
import { Segmented } from '../../../parts/fields/segmented.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { filters, setFilters } from '../../../shell/router.ts'
import type { RunResult } from '../transformation.ts'
import { endingOf } from '../trial/ending-of.ts'
import { eventRow } from './event-row.ts'
import type { Bench } from './use-bench.ts'
import type { Ran } from './use-run.ts'

interface EventOutcomeProps {
  readonly bench: Bench
  readonly ran: Ran
  readonly index: number
}

/** What the code made of one event: the difference, the output, or why it failed. */
export function EventOutcome({ bench: { tests, setTests }, ran, index }: EventOutcomeProps) {
  const { events, draft, live } = ran
  const event = events[index] ?? {}
  const outcome = draft.outcomes[index]
  const { name, mark } = eventRow(event, index, draft)
  const title = mark === '' ? name : `${name} ${mark}`
  const isKept = tests.some((test) => test.name === title)
  const options = [
    { value: 'changes' as const, text: 'Changes' },
    { value: 'output' as const, text: 'Output' },
    ...(live === undefined ? [] : [{ value: 'live' as const, text: 'To live' }]),
  ]
  const shown = options.find(({ value }) => value === filters.value['show'])?.value ?? 'changes'
  return (
    <>
      <header class="frame-head under">
        <b>{title}</b>
        <span class="row">
          {outcome === undefined || outcome.kind === 'fail' ? null : (
            <button
              type="button"
              class="ghost small"
              disabled={isKept}
              onClick={() => setTests([...tests, { name: title, event, expected: endingOf(outcome) }])}
            >
              {isKept ? 'Is a test' : 'Keep as a test'}
            </button>
          )}
          <Segmented label="Show" options={options} value={shown} onChange={(show) => setFilters({ show })} />
        </span>
      </header>
      <div class="outcome-body">
        {shown === 'live' && live ? (
          <JsonDifference
            label="Output, compared with the live version"
            before={outputsOf(live, index)}
            after={outputsOf(draft, index)}
            equal="The same as the live version."
          />
        ) : (
          <Became draft={draft} index={index} event={event} isOutput={shown === 'output'} />
        )}
      </div>
    </>
  )
}

interface BecameProps {
  readonly draft: RunResult
  readonly index: number
  readonly event: unknown
  readonly isOutput: boolean
}

function Became({ draft, index, event, isOutput }: BecameProps) {
  const outcome = draft.outcomes[index]
  if (outcome === undefined) return null
  if (outcome.kind === 'drop') return <p class="side-note">Filtered: the code returned no event.</p>
  if (outcome.kind === 'fail') {
    const problems = draft.problems.filter((problem) => problem.index === undefined || problem.index === index)
    return (
      <>
        {problems.map(({ error, line, module }) => (
          <Notice key={error} kind="bad">
            {line === undefined ? '' : `${module ?? 'line'} ${line}: `}
            {error}
          </Notice>
        ))}
      </>
    )
  }
  const outputs = outputsOf(draft, index)
  return isOutput ? (
    <JsonTree label="Output" value={outputs} />
  ) : (
    <JsonDifference
      label="What the code changed"
      before={event}
      after={outputs}
      equal="The code returns the event as it is."
    />
  )
}

/** One output as it is, several as a list. */
function outputsOf({ outcomes }: RunResult, index: number): unknown {
  const outcome = outcomes[index]
  if (outcome === undefined || outcome.kind !== 'pass') return null
  return outcome.items.length === 1 ? outcome.items[0] : outcome.items
}
