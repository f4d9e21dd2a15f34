import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import type { Misfit } from './warehouse.ts'

interface MisfitsPanelProps {
  readonly misfits: readonly Misfit[]
  /** Why it is not known what will not fit. */
  readonly problem: string | undefined
}

/** Columns that are listed; the rest is counted. */
const shownMax = 50

/** Values that did not fit their columns, and those that will not, with the event to look at. */
export function MisfitsPanel({ misfits, problem }: MisfitsPanelProps) {
  return (
    <Panel title="What did not fit" note="The rest of the row is loaded; rudder_discards has the values." isFlush>
      {problem === undefined ? null : <Notice kind="bad">{problem}</Notice>}
      {misfits.length === 0 ? (
        <EmptyState icon="circle-check" title="Everything fits">
          All values that were seen fit their columns.
        </EmptyState>
      ) : (
        <ul class="list">
          {misfits.slice(0, shownMax).map(({ table, column, reason, values }) => (
            <li key={`${table} ${column} ${reason}`} class={values === undefined ? 'wait' : 'bad'}>
              <span class="mark">
                <Icon name={values === undefined ? 'triangle-alert' : 'circle-x'} />
              </span>
              <span>
                <code>
                  {table}.{column}
                </code>
                <small>{reason}</small>
              </span>
              <b>{values === undefined ? 'will not fit' : countText(values)}</b>
              <a
                class="btn small ghost"
                href={addressOf('/catalogue', { name: column })}
                aria-label={`Look at ${column} in the catalogue`}
              >
                Look at the key
              </a>
            </li>
          ))}
          {misfits.length > shownMax ? <li>and {misfits.length - shownMax} further columns</li> : null}
        </ul>
      )}
    </Panel>
  )
}
