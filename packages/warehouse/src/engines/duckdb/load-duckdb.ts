import { WarehouseError } from '../../load/warehouse-error.ts'

/** The part of `@duckdb/node-api` that is used here. */
interface DuckDB {
  readonly DuckDBInstance: {
    create(path: string, config: Readonly<Record<string, string>>): Promise<DuckDBInstance>
  }
  readonly JsonDuckDBValueConverter: JsonConverter
}

interface DuckDBInstance {
  connect(): Promise<DuckDBConnection>
  closeSync(): void
}

export interface DuckDBConnection {
  run(sql: string, values?: DuckDBValue[]): Promise<{ readonly rowsChanged: number }>
  runAndReadAll(sql: string, values?: DuckDBValue[]): Promise<{ getRowObjectsJson(): readonly object[] }>
  /** Reads until there are at least so many rows, and no more than those of one chunk beyond. */
  streamAndReadUntil(sql: string, rows: number): Promise<{ getRowObjectsJson(): readonly object[] }>
  /** Begins a query; its rows are made while they are read. */
  stream(sql: string): Promise<DuckDBResult>
  interrupt(): void
  disconnectSync(): void
}

interface DuckDBResult extends AsyncIterable<DuckDBChunk> {
  deduplicatedColumnNames(): readonly string[]
  /** Types, whose texts are what DuckDB calls them. */
  columnTypes(): readonly { toString(): string }[]
}

/** Some rows of a result. */
interface DuckDBChunk {
  readonly rowCount: number
  convertRowValues(row: number, converter: JsonConverter): readonly unknown[]
}

/** Makes JSON of values of DuckDB; those of types that JSON does not have become texts. */
type JsonConverter = (value: unknown, type: unknown, converter: JsonConverter) => unknown

export type DuckDBValue = string | number | boolean | null

/** @throws WarehouseError when the package is not installed, or has no binary for this platform. */
export async function loadDuckDB(): Promise<DuckDB> {
  try {
    // Through a variable, because the package may be absent.
    const name = '@duckdb/node-api'
    return (await import(name)) as DuckDB
  } catch (error) {
    throw new WarehouseError(
      `DuckDB cannot be loaded (${firstLine(error)}). Install it beside Sluice: npm install @duckdb/node-api.`,
      'DUCKDB_MISSING',
    )
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
