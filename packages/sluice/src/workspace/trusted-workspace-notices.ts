import type { Workspace } from '@sluice/core'
import type { TrustedCodeNotice } from './trusted-code-notices.ts'

/** Returns what an operator should know about workspaces whose user code is trusted: a notice for all of them, or none. */
export function trustedWorkspaceNotices(
  workspaces: readonly Workspace[],
  isTrusted: (workspaceId: string) => boolean,
): readonly TrustedCodeNotice[] {
  const trusted = workspaces.filter(({ id }) => isTrusted(id))
  if (trusted.length === 0) return []
  return [
    {
      origin: `user code of ${trusted.map(({ id }) => id).join(', ')}`,
      destinations: trusted.flatMap(({ id, destinations }) => destinations.map((each) => `${id}/${each.id}`)),
      text: 'user code of these workspaces is trusted and runs in V8: its authors can reach the memory, the files and the network of this process',
    },
  ]
}
