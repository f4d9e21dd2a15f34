import { WarehouseError } from '../../load/warehouse-error.ts'

/** What an operator can do, by a part of DuckDB's message. */
const advice: readonly (readonly [part: RegExp, code: string, hint: string])[] = [
  [
    /conflicting lock|could not set lock/i,
    'LOCKED',
    'Another program has the file open: close it there. Sluice opens it only during loads, which are repeated.',
  ],
  [/no space left|disk is full|out of disk/i, 'DISK_FULL', 'Free space on the disk; the load is repeated.'],
  [/out of memory/i, 'OUT_OF_MEMORY', 'Load fewer events at once: lower syncEvents.'],
  [/permission denied/i, 'PERMISSION', 'Let the process of Sluice write this file and its folder.'],
  [
    /no such file or directory|cannot open file/i,
    'NO_FOLDER',
    'Check the path in the settings: its folder must exist.',
  ],
  [/not a valid duckdb|magic bytes|storage version/i, 'NOT_DUCKDB', 'The path must name a DuckDB file, or a new one.'],
]

const isOfRows = /^(?:Conversion|Constraint|Out of Range|Invalid Input) Error:/

/** Returns a failure of DuckDB with what to do. */
export function duckdbProblem(error: unknown, path: string): WarehouseError {
  if (error instanceof WarehouseError) return error
  const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  const [, code = 'DUCKDB', hint] = advice.find(([part]) => part.test(message)) ?? []
  return new WarehouseError(
    `DuckDB ${path}: ${message.replace(/\.?$/, '.')}${hint ? ` ${hint}` : ''}`,
    code,
    isOfRows.test(message),
  )
}

/** Returns whether DuckDB refuses a statement for a name in it, or for what is there under the name. */
export function isRefusedName(error: unknown): error is WarehouseError {
  return error instanceof WarehouseError && /: (?:Catalog|Binder) Error:/.test(error.message)
}
