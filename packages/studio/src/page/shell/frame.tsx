import { useEffect } from 'preact/hooks'
import type { Visitor } from '../api/session.ts'
import { signOut, switchWorkspace } from '../api/session.ts'
import { Notice } from '../parts/notice.tsx'
import { addressOf, path } from './router.ts'
import { type Theme, theme, themes } from './theme.ts'
import { viewOf, views } from './views.tsx'

/** Navigation, and the view that the address names. */
export function Frame({ visitor }: { readonly visitor: Visitor }) {
  const view = viewOf(path.value)
  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'} · ${visitor.workspace.name} · Sluice`
  }, [view, visitor])
  const View = view?.component
  const isAllowed = view === undefined || visitor.scopes.includes(view.scope)
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <span class="brand">Sluice</span>
        <Workspaces visitor={visitor} />
        <nav aria-label="Views">
          <ul>
            {views.map((each) => (
              <li key={each.path}>
                <a href={addressOf(each.path)} aria-current={each === view ? 'page' : undefined}>
                  {each.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="own">
          <label class="quiet">
            <span class="unseen">Colours</span>
            <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
              {themes.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
          <span class="hint">{visitor.name}</span>
          <button type="button" class="quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <h1 tabIndex={-1}>{view?.title ?? 'There is no such view'}</h1>
        {view ? <p class="hint">{view.about}</p> : <a href={addressOf('/')}>Go to the flow</a>}
        {view && !isAllowed ? (
          <Notice kind="bad">
            Your access token lacks the scope <code>{view.scope}</code>, which this view needs.
          </Notice>
        ) : null}
        {View && isAllowed ? <View /> : null}
      </main>
    </>
  )
}

/** The workspace; sessions of the operator may switch. */
function Workspaces({ visitor: { workspace, workspaces } }: { readonly visitor: Visitor }) {
  if (workspaces.length < 2) return <span class="workspace">{workspace.name}</span>
  return (
    <label class="workspace">
      <span class="unseen">Workspace</span>
      <select value={workspace.id} onChange={(event) => void switchWorkspace(event.currentTarget.value)}>
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
