import { switchWorkspace, type Visitor } from '../api/session.ts'
import { Icon } from '../parts/signs/icon.tsx'
import { Logo } from './logo.tsx'

/** The workspace; sessions of the operator may switch to another one. */
export function WorkspaceSwitch({ visitor: { workspace, workspaces } }: { readonly visitor: Visitor }) {
  const hasChoice = workspaces.length > 1
  return (
    <div class="workspace">
      <Logo />
      <span class="rail-text" aria-hidden={hasChoice}>
        <b>{workspace.name}</b>
        <small>Workspace</small>
      </span>
      {hasChoice ? (
        <>
          <Icon name="chevrons-up-down" />
          <select
            aria-label="Workspace"
            value={workspace.id}
            onChange={(event) => void switchWorkspace(event.currentTarget.value)}
          >
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </>
      ) : null}
    </div>
  )
}
