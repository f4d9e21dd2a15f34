import type { Workspace } from '@sluice/core'
import { refusedAddresses } from './refused-addresses.ts'

/** What an operator should know about a destination whose events will all fail. */
export interface RefusedAddressNotice {
  readonly workspace: string
  readonly destination: string
  /** Where the address is in the settings. */
  readonly setting: string
  readonly host: string
  readonly text: string
}

/**
 * Returns a notice for each enabled destination with an address that may not be sent to.
 * @param allowed ranges, as in the option `allowAddresses`.
 */
export function refusedAddressNotices(
  workspaces: readonly Workspace[],
  allowed: readonly string[],
): readonly RefusedAddressNotice[] {
  return workspaces.flatMap(({ id: workspace, destinations }) =>
    destinations
      .filter(({ enabled }) => enabled)
      .flatMap(({ id: destination, settings }) =>
        refusedAddresses(settings, allowed).map(({ path: setting, host, range }) => ({
          workspace,
          destination,
          setting,
          host,
          text: refusedAddressText(range),
        })),
      ),
  )
}

/** @param range what to allow. */
export function refusedAddressText(range: string): string {
  return `Sluice sends nothing to this address, because it is not public: sluice serve --allow-address ${range} allows it, and so does the option allowAddresses`
}
