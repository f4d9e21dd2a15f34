import type { Visitor } from '../api/session.ts'
import { countText } from '../parts/format/count.tsx'
import { Icon } from '../parts/signs/icon.tsx'
import { Keys } from '../parts/signs/keys.tsx'
import { jumpKeys } from './palette/jump-keys.ts'
import { addressOf, path } from './router.ts'
import { ServerState } from './server-state.tsx'
import { SignedIn } from './signed-in.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useFailedCount } from './use-failed-count.ts'
import { viewGroups, viewOf } from './views.tsx'
import { WorkspaceSwitch } from './workspace-switch.tsx'

interface RailProps {
  readonly visitor: Visitor
  /** Whether it is shown on a phone, where it is a drawer. */
  readonly isOpen: boolean
  readonly onJump: () => void
}

/** The sidebar: workspace, search, navigation, state of the server, and who is signed in. */
export function Rail({ visitor, isOpen, onJump }: RailProps) {
  const mayOperate = visitor.scopes.includes('operate')
  const failed = useFailedCount(mayOperate)
  const current = viewOf(path.value)
  return (
    <aside class={`rail${isOpen ? ' open' : ''}`} id="rail" aria-label="Studio">
      <WorkspaceSwitch visitor={visitor} />
      <button
        type="button"
        class="bare jump"
        aria-label="Search or jump to"
        aria-keyshortcuts="Control+K"
        onClick={onJump}
      >
        <Icon name="search" />
        <span class="rail-text">Search or jump to</span>
        <Keys names={jumpKeys} />
      </button>
      <nav aria-label="Views">
        {viewGroups.map(({ title, views }) => {
          const seen = views.filter(({ scope }) => visitor.scopes.includes(scope))
          if (seen.length === 0) return null
          return (
            <div key={title}>
              {title === '' ? null : <h2 id={`nav-${title}`}>{title}</h2>}
              <ul aria-labelledby={title === '' ? undefined : `nav-${title}`}>
                {seen.map((view) => (
                  <li key={view.path}>
                    <a href={addressOf(view.path)} aria-current={view === current ? 'page' : undefined}>
                      <Icon name={view.icon} />
                      <span class="rail-text">{view.title}</span>
                      {view.path === '/failed' && failed ? <FailedCount count={failed} /> : null}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </nav>
      <div class="rail-foot">
        {mayOperate ? <ServerState /> : null}
        <div class="rail-own">
          <SignedIn visitor={visitor} />
          <ThemeSwitch />
        </div>
      </div>
    </aside>
  )
}

function FailedCount({ count }: { readonly count: number }) {
  return <span class="rail-note bad">{countText(count)}</span>
}
