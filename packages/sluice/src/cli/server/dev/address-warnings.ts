import type { Workspace } from '@sluice/core'
import type { Logger } from '../../../logger.ts'
import { refusedAddressNotices } from '../../../workspace/refused-address-notices.ts'

/** Returns the non-public addresses that destinations may use while a workspace is written. */
export function devAddresses(allowed: readonly string[]): readonly string[] {
  return ['localhost', ...allowed]
}

/**
 * Returns a function that warns of addresses in a workspace: of those that a server would refuse without a flag, and of those
 * that are refused here too. Each is logged once.
 */
export function addressWarnings(
  allowed: readonly string[],
  logger: Pick<Logger, 'warn'>,
): (workspaces: readonly Workspace[]) => void {
  const known = new Set<string>()
  return (workspaces) => {
    const refusedHere = refusedAddressNotices(workspaces, devAddresses(allowed))
    const keyOf = (notice: object): string => JSON.stringify(notice)
    const isRefused = new Set(refusedHere.map(keyOf))
    for (const notice of refusedAddressNotices(workspaces, allowed)) {
      const key = keyOf(notice)
      if (known.has(key)) continue
      known.add(key)
      const { text, ...fields } = notice
      const allowedHere =
        'sluice dev sends to this machine; sluice serve needs the flag --allow-address localhost for it'
      logger.warn(fields, isRefused.has(key) ? text : allowedHere)
    }
  }
}
