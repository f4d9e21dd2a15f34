import type { ChangeGroup } from '@sluice/testing/diff'
import { useState } from 'preact/hooks'
import { BalanceBar } from '../../../parts/charts/balance-bar.tsx'
import { JsonDifference } from '../../../parts/code/json-difference.tsx'
import { durationText } from '../../../parts/format/duration-text.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import type { TestResult } from '../bench/kept-tests.ts'
import type { WhatIf } from '../trial/what-if.ts'

/** Groups that are listed: those with the most events. */
const groupsMax = 8

interface WhatIfViewProps {
  readonly found: WhatIf
  readonly tests: readonly TestResult[]
  readonly tookMs: number
  /** Whether there is a live version to compare with. */
  readonly hasLive: boolean
}

/** What a version makes of recorded events against the live one: a sum, the groups of changes, and an example. */
export function WhatIfView({ found, tests, tookMs, hasLive }: WhatIfViewProps) {
  const { events, same, differ, newlyFiltered, threw, groups, beforeMs, afterMs } = found
  const [shown, setShown] = useState<ChangeGroup>()
  const passed = tests.filter(({ differences }) => differences.length === 0).length
  if (events.length === 0) return <p>No event was recorded yet, so what it would change is not known.</p>
  return (
    <>
      <section class="stack">
        <div class="row apart">
          <h3>On the last {events.length} recorded events, personal data masked</h3>
          <small>in this page, {durationText(tookMs)}</small>
        </div>
        <BalanceBar
          label="What it would change"
          title="Events"
          whole={events.length}
          parts={[
            { name: hasLive ? 'As the live version' : 'Unchanged', value: same, state: 'good' },
            { name: hasLive ? 'Differ' : 'Changed', value: differ, state: 'note' },
            { name: hasLive ? 'Newly filtered' : 'Filtered', value: newlyFiltered, state: 'idle' },
            { name: 'Throw', value: threw, state: 'bad' },
          ]}
        />
      </section>
      <ul class="checks-list">
        {groups.slice(0, groupsMax).map((group) => {
          const isBad = group.change.includes('→ failed')
          return (
            <li key={`${group.path} ${group.change}`} class={isBad ? 'bad' : 'note'}>
              <Icon name={isBad ? 'circle-x' : 'git-compare'} />
              <span>
                {group.events} {group.events === 1 ? 'event' : 'events'} ({namesOf(group)}):{' '}
                {group.path === 'outcome' ? null : <code>{pathText(group.path)}</code>} {changeText(group.change)}
              </span>
              <button
                type="button"
                class="ghost small"
                aria-pressed={shown === group}
                onClick={() => setShown(shown === group ? undefined : group)}
              >
                Show one
              </button>
            </li>
          )
        })}
        {groups.length > groupsMax ? <li class="ink">and {groups.length - groupsMax} other changes</li> : null}
        <li class="ink">
          <Icon name="timer" />
          <span>
            {microsText(afterMs)} an event{hasLive ? `, the live version takes ${microsText(beforeMs)}` : ''}
          </span>
        </li>
        {tests.length === 0 ? null : (
          <li class={passed === tests.length ? 'good' : 'bad'}>
            <Icon name={passed === tests.length ? 'circle-check' : 'circle-x'} />
            <span>
              {passed} of {tests.length} tests pass
            </span>
          </li>
        )}
      </ul>
      {shown === undefined ? null : <Example found={found} group={shown} />}
    </>
  )
}

function Example({ found: { before, after }, group }: { readonly found: WhatIf; readonly group: ChangeGroup }) {
  const index = group.example.event - 1
  const [was, is] = [before[index], after[index]]
  return (
    <section class="frame" aria-label="An event that differs">
      <JsonDifference
        label="An event that differs"
        before={comparedOf(was)}
        after={comparedOf(is)}
        equal="Its outputs are the same."
      />
    </section>
  )
}

function comparedOf(ending: WhatIf['before'][number] | undefined): unknown {
  if (ending?.outcome !== 'passed') return ending?.error?.message.split('\n', 1)[0] ?? 'filtered'
  return ending.output.length === 1 ? ending.output[0] : ending.output
}

const namesOf = ({ byName }: ChangeGroup): string =>
  byName
    .map(({ name }) => name)
    .slice(0, 2)
    .join(', ')
const pathText = (path: string): string => path.replace(/^output\[\]\.?/, '') || path
/** Drops of user code are what it filters; why they failed follows a colon. */
const changeText = (change: string): string =>
  change.replaceAll(/dropped( \([^)]*\))?/g, 'filtered').replace(/failed \((.*)\)$/, 'failed: $1')
const microsText = (ms: number): string => `${Math.round(ms * 1_000)} µs`
