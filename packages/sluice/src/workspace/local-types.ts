import type { DestinationDefinition } from '@sluice/destinations'

/** Destinations that are in one process, or on one machine, and why that does not go together with several processes. */
export const localTypes: Readonly<Record<string, string>> = {
  DUCKDB: 'only one process can open its file',
  PARQUET: 'each process would write files on its own machine, and deletions would reach one of them only',
  FILE: 'each process would write a file of its own, and deletions would reach one of them only',
  CONSOLE: 'each process would print a part of the events',
}

/**
 * Returns what is allowed instead of a type that writes where the process runs. Who may configure a workspace through
 * the API may not thereby write files of the server.
 */
export function localRefusal({ type }: Pick<DestinationDefinition, 'type'>): string | undefined {
  return Object.hasOwn(localTypes, type)
    ? 'types that send events elsewhere: this one writes to the disk or the terminal of the server; name it in the workspace file, or start the server with --local-destinations'
    : undefined
}
