import type { OfflineDestination } from '@sluice/testing'
import type { DestinationFlags } from '../flags/destination-flags.ts'

/** Returns the destination in the flags of an offline command, if any. @throws CliError with the allowed values. */
export async function offlineDestination(flags: DestinationFlags): Promise<OfflineDestination | undefined> {
  if (flags.destination === undefined) return undefined
  // Loaded when needed, because it loads all destinations.
  const { openDestination } = await import('./open-destination.ts')
  return openDestination(flags.destination, flags)
}
