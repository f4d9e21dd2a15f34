import { allows } from '../../api/session.ts'
import { Time } from '../../parts/format/time.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import { changeSign, type RecentChange, subjectAddress } from '../watch/recent-changes.ts'

/** Changes that are shown. */
const shownMax = 5

/** Who changed what, the newest first. */
export function LatestChanges({ changes }: { readonly changes: readonly RecentChange[] }) {
  return (
    <Panel
      title="What changed lately"
      isFlush
      actions={
        allows('admin') ? (
          <a class="btn ghost small" href={addressOf('/changes')}>
            All changes
          </a>
        ) : undefined
      }
    >
      {changes.length === 0 ? (
        <EmptyState icon="rotate-ccw-clock" title="Nothing was changed">
          In this time, no one published, paused, connected or deleted anything.
        </EmptyState>
      ) : (
        <ol class="list">
          {changes.slice(0, shownMax).map((change) => {
            const { icon, state } = changeSign(change)
            const text = `${change.text.slice(0, 1).toUpperCase()}${change.text.slice(1)}`
            return (
              <li key={change.id} class={state}>
                <span class="mark">
                  <Icon name={icon} />
                </span>
                <span>
                  {change.subject.kind === 'regulation' ? text : <a href={subjectAddress(change.subject)}>{text}</a>}
                  <small>by {change.who}</small>
                </span>
                <small>
                  <Time at={change.at} />
                </small>
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}
