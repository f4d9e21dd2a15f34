import type { Visitor } from '../api/session.ts'
import { EmptyState } from '../parts/page/empty-state.tsx'
import { addressOf } from './router.ts'
import { viewGroups } from './views.tsx'

interface ScopeMissingProps {
  readonly scope: string
  readonly visitor: Visitor
}

/** In place of a page that one may not see: which scope it needs, and where one can go. */
export function ScopeMissing({ scope, visitor: { name, scopes } }: ScopeMissingProps) {
  const first = viewGroups.flatMap(({ views }) => views).find((view) => scopes.includes(view.scope))
  return (
    <EmptyState
      icon="lock"
      title={`This page needs the scope ${scope}`}
      action={
        first ? (
          <a class="btn" href={addressOf(first.path)}>
            Go to {first.title}
          </a>
        ) : null
      }
    >
      The access token {name} lacks the scope {scope}. It has {scopes.join(', ') || 'none'}. Sign in with another token,
      or with the link of the server.
    </EmptyState>
  )
}
