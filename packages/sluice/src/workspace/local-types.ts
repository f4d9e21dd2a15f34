/** Destinations that are in one process, or on one machine, and why that does not go together with several processes. */
export const localTypes: Readonly<Record<string, string>> = {
  DUCKDB: 'only one process can open its file',
  PARQUET: 'each process would write files on its own machine, and deletions would reach one of them only',
  FILE: 'each process would write a file of its own, and deletions would reach one of them only',
  CONSOLE: 'each process would print a part of the events',
}
