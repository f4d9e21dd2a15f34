import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './sql-session.ts'

/** Stands for a value of a row while a statement is compiled. */
class Slot {
  readonly name: string
  readonly row: number

  constructor(name: string, row: number) {
    this.name = name
    this.row = row
  }
}

/**
 * Returns a function that runs a statement that is compiled only once, for those that run with every commit: building a
 * statement takes several times longer than running it.
 * @param names of the values; they must not decide what the statement looks like.
 * @param build builds the statement, from a placeholder for each value.
 */
export function compiledOnce<Values extends object, Row>(
  names: readonly (keyof Values & string)[],
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Result<Row>> {
  const run = compiledForRows<Values, Row>(names, (db, rows) => build(db, ...(rows as readonly [Values])))
  return (db, values) => run(db, [values])
}

/**
 * The same for a statement of many rows, which is compiled once for each number of rows: see `inChunks`, which bounds it.
 * @param build builds the statement, from rows of placeholders.
 */
export function compiledForRows<Values extends object, Row>(
  names: readonly (keyof Values & string)[],
  build: (db: Db, rows: readonly Values[]) => Compilable<Row>,
): (db: Db, rows: readonly Values[]) => Promise<Result<Row>> {
  // By dialect: a process may have stores in several kinds of databases open.
  const compiledFor = new WeakMap<object, Map<number, CompiledQuery<Row>>>()
  const slotsOf = (row: number) =>
    Object.fromEntries(names.map((name) => [name, new Slot(name, row)])) as unknown as Values
  return async (db, rows) => {
    const { adapter } = db.getExecutor()
    const bySize = compiledFor.get(adapter) ?? new Map<number, CompiledQuery<Row>>()
    compiledFor.set(adapter, bySize)
    const known = bySize.get(rows.length)
    const compiled =
      known ??
      build(
        db,
        Array.from(rows, (_, row) => slotsOf(row)),
      ).compile()
    if (known === undefined) bySize.set(rows.length, compiled)
    const parameters = compiled.parameters.map((each) =>
      each instanceof Slot ? rows[each.row]?.[each.name as keyof Values] : each,
    )
    return db.executeQuery<Row>({ ...compiled, parameters })
  }
}

interface Result<Row> {
  readonly rows: readonly Row[]
  readonly numAffectedRows?: bigint | undefined
}
