import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './sql-session.ts'

/** Stands for a value while a statement is compiled. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
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
  // By dialect: a process may have stores in several kinds of databases open.
  const compiledFor = new WeakMap<object, CompiledQuery<Row>>()
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as unknown as Values
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    const compiled = compiledFor.get(adapter) ?? build(db, slots).compile()
    compiledFor.set(adapter, compiled)
    const parameters = compiled.parameters.map((each) =>
      each instanceof Slot ? values[each.name as keyof Values] : each,
    )
    return db.executeQuery<Row>({ ...compiled, parameters })
  }
}

interface Result<Row> {
  readonly rows: readonly Row[]
  readonly numAffectedRows?: bigint | undefined
}
