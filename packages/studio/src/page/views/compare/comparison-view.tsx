import './comparison.css'
import type { ChangeGroup } from '@sluice/testing/diff'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { JsonDifference } from '../../parts/code/json-difference.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import type { Comparison } from './comparison.ts'

/** Groups that are listed: those with the most events. */
const groupsMax = 8

interface ComparisonViewProps {
  readonly found: Comparison
  /** Where it was run, and how long it took. */
  readonly note: string
  /** What the parts of the events are called. */
  readonly names: Readonly<Record<'same' | 'differ' | 'newlyFiltered' | 'failed', string>>
  /** More entries of the list below the groups of changes. */
  readonly children?: ComponentChildren
}

/** What a change would do to recorded events: a sum, the groups of changes, and an example of one. */
export function ComparisonView({ found, note, names, children }: ComparisonViewProps) {
  const { events, same, differ, newlyFiltered, failed, groups } = found
  const [shown, setShown] = useState<ChangeGroup>()
  if (events.length === 0) return <p>No event was recorded yet, so what it would change is not known.</p>
  return (
    <>
      <section class="stack">
        <div class="row apart">
          <h3>
            {events.length === 1 ? 'On the last recorded event' : `On the last ${events.length} recorded events`},
            personal data masked
          </h3>
          <small>{note}</small>
        </div>
        <BalanceBar
          label="What it would change"
          title="Events"
          whole={events.length}
          parts={[
            { name: names.same, value: same, state: 'good' },
            { name: names.differ, value: differ, state: 'note' },
            { name: names.newlyFiltered, value: newlyFiltered, state: 'idle' },
            { name: names.failed, value: failed, state: 'bad' },
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
        {children}
      </ul>
      {shown === undefined ? null : <Example found={found} group={shown} />}
    </>
  )
}

function Example({ found: { before, after }, group }: { readonly found: Comparison; readonly group: ChangeGroup }) {
  const index = group.example.event - 1
  const [was, is] = [before[index], after[index]]
  return (
    <section class="frame" aria-label="An event that differs">
      <JsonDifference
        label="An event that differs"
        before={comparedOf(was)}
        after={comparedOf(is)}
        equal="What it results in is the same."
      />
    </section>
  )
}

/** Returns what leaves for an event: its requests where it was mapped, else what code returned; else why there is none. */
function comparedOf(ending: Comparison['before'][number] | undefined): unknown {
  if (ending?.outcome !== 'passed') return ending?.error?.message.split('\n', 1)[0] ?? 'filtered'
  const sent: readonly unknown[] = ending.requests ?? ending.output
  return sent.length === 1 ? sent[0] : sent
}

const namesOf = ({ byName }: ChangeGroup): string =>
  byName
    .map(({ name }) => name)
    .slice(0, 2)
    .join(', ')
const pathText = (path: string): string => path.replace(/^(?:output|requests)\[\]\.?/, '') || path
/** Drops are what is filtered; why an event failed follows a colon. */
const changeText = (change: string): string =>
  change.replaceAll(/dropped( \([^)]*\))?/g, 'filtered').replace(/failed \((.*)\)$/, 'failed: $1')
