import { nameTextMax } from './clean-name.ts'
import { distinctName, type NameRules } from './name-rules.ts'

/** Types of columns that are the same whatever their value. */
export type FixedType = 'string' | 'datetime'

/** The name of a column, and where a row that is being written has it. */
export interface ColumnName {
  readonly name: string
  /** Whether members of events cannot have it. */
  readonly isBlocked: boolean
  /** Its type whatever its value; undefined when the value decides. */
  readonly fixed: FixedType | undefined
  /** The last row that has the column, ... */
  row: number
  /** ... at this index, ... */
  at: number
  /** ... from this key path, ... */
  path: string
  /** ... by this key, ... */
  from: PathNames | undefined
  /** ... of this object of the row. */
  part: number
}

/** The key paths below one, by key. */
export interface PathNames {
  readonly path: string
  /** Undefined for a root. */
  readonly above: PathNames | undefined
  readonly key: string
  /** Undefined until it is needed; null when no column can be named after the path. */
  column: ColumnName | null | undefined
  /** Undefined until the first one. */
  below: Map<string, PathNames> | undefined
}

/** Key paths whose names are kept, and their characters. Events with more different keys pay for cleaning them again. */
const pathsMax = 50_000
const charactersMax = 4_000_000

/** Keeps the names of the columns of one type of event. */
export class ColumnNames {
  readonly rules: NameRules
  readonly #blocked: ReadonlySet<string>
  readonly #fixed: ReadonlyMap<string, FixedType>
  readonly #lengthMax: number
  readonly #roots = new Map<string, PathNames>()
  readonly #columns = new Map<string, ColumnName>()
  #paths = 0
  #characters = 0
  #rows = 0

  /** @param blocked names that members of events cannot have. @param fixed types of columns whose value does not decide. */
  constructor(
    rules: NameRules,
    blocked: ReadonlySet<string>,
    lengthMax: number,
    fixed: ReadonlyMap<string, FixedType> = new Map(),
  ) {
    this.rules = rules
    this.#blocked = blocked
    this.#fixed = fixed
    this.#lengthMax = lengthMax
  }

  /** Whether it has grown so large that another one should take its place. */
  get isFull(): boolean {
    return this.#paths > pathsMax || this.#characters > charactersMax
  }

  /** Begins a row; the one before must be finished. @returns its number. */
  nextRow(): number {
    this.#rows += 1
    return this.#rows
  }

  /** @param prefix what the names begin with, such as `context`. Empty without one. */
  root(prefix: string): PathNames {
    const known = this.#roots.get(prefix)
    if (known) return known
    const root: PathNames = { path: prefix, above: undefined, key: prefix, column: undefined, below: undefined }
    this.#roots.set(prefix, root)
    return root
  }

  below(names: PathNames, key: string): PathNames {
    const known = names.below?.get(key)
    if (known) return known
    const path = joined(names.path, this.rules.key(key))
    const below: PathNames = { path, above: names, key, column: undefined, below: undefined }
    names.below ??= new Map()
    names.below.set(key, below)
    this.#paths += 1
    this.#characters += key.length + below.path.length
    return below
  }

  /** Returns the column that is named after a key path. */
  of(names: PathNames): ColumnName | null {
    if (names.column !== undefined) return names.column
    const name = this.rules.column(names.path)
    names.column = name === '' ? null : this.named(name)
    return names.column
  }

  /** Returns the column with a name. */
  named(name: string): ColumnName {
    const known = this.#columns.get(name)
    if (known) return known
    const column = {
      name,
      isBlocked: this.#blocked.has(name),
      fixed: this.#fixed.get(name),
      row: 0,
      at: 0,
      path: '',
      from: undefined,
      part: 0,
    }
    this.#columns.set(name, column)
    return column
  }

  /** Returns a column for a key path whose name another path has in the same row, because both were cut. */
  distinct(names: PathNames, column: ColumnName): ColumnName {
    return column.name.length < this.#lengthMax
      ? column
      : this.named(this.rules.own(distinctName(names.path, column.name, this.#lengthMax)))
  }

  /** Returns a column for a key whose name another key of the same object has. */
  besides(names: PathNames, column: ColumnName): ColumnName {
    const keys: string[] = []
    for (let each: PathNames | undefined = names; each; each = each.above) keys.unshift(each.key)
    return this.named(this.rules.own(distinctName(JSON.stringify(keys), column.name, this.#lengthMax)))
  }
}

/** Cut here already, so that long keys below long keys take no more than their own length. */
function joined(path: string, key: string): string {
  const whole = path === '' ? key : path.length >= nameTextMax ? path : `${path}_${key}`
  return whole.length > nameTextMax ? whole.slice(0, nameTextMax) : whole
}
