import type { Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'

/** What an operator should know about destinations whose definitions run code of an installed package. */
export interface TrustedCodeNotice {
  /** Package and version that the definitions come from. */
  readonly origin: string
  /** The destinations it is about, such as `shop/crm`. */
  readonly destinations: readonly string[]
  readonly text: string
}

/**
 * Returns a notice for each family of definitions that the workspaces use, and one for those of its destinations that
 * open connections of their own.
 */
export function trustedCodeNotices(
  workspaces: readonly Workspace[],
  registry: DestinationRegistry,
): readonly TrustedCodeNotice[] {
  const used = new Map<string, string[]>()
  const withOwnNetwork = new Map<string, string[]>()
  for (const { id: workspaceId, destinations } of workspaces) {
    for (const { id, type } of destinations) {
      const origin = registry.familyOf(type)?.origin
      if (origin === undefined) continue
      const name = `${workspaceId}/${id}`
      addTo(used, origin, name)
      if (registry.get(type)?.action?.hasOwnNetwork !== undefined) addTo(withOwnNetwork, origin, name)
    }
  }
  return [
    ...noticesOf(used, (origin) => `code of ${origin} runs in this process with all its permissions`),
    ...noticesOf(
      withOwnNetwork,
      (origin) =>
        `these destinations of ${origin} open connections of their own: checks of addresses, time limits and records do not apply to them`,
    ),
  ]
}

function addTo(byOrigin: Map<string, string[]>, origin: string, name: string): void {
  const names = byOrigin.get(origin)
  if (names) names.push(name)
  else byOrigin.set(origin, [name])
}

function noticesOf(
  byOrigin: ReadonlyMap<string, readonly string[]>,
  textOf: (origin: string) => string,
): readonly TrustedCodeNotice[] {
  return [...byOrigin].map(([origin, destinations]) => ({ origin, destinations, text: textOf(origin) }))
}
