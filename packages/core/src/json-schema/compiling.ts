import type { Dialect } from './dialect.ts'
import { type Evaluated, mergeEvaluated, Slot, type Slots } from './evaluated.ts'
import type { SchemaProblem } from './schema-problem.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Where a value is: its key, and where the value is that has it. */
export interface Place {
  readonly above: Place | undefined
  readonly key: string
}

/** State of one run of a unit. */
export interface Frame {
  readonly problems: SchemaProblem[]
  readonly slots: Slots
  /** What `$dynamicRef` leads to, by anchor: the outermost unit that has it. */
  readonly anchors: Map<string, Unit>
}

/** Checks a value, and adds what does not fit to the problems. */
export type Step<Data = unknown> = (data: Data, place: Place | undefined, frame: Frame) => void

/** A schema that references lead to. It is compiled once and runs with slots of its own. */
export interface Unit {
  readonly schema: unknown
  readonly baseId: string
  readonly root: Root
  slotCount: number
  /** What it has evaluated; absent while it is being compiled. Where it depends on the value, that of the last run. */
  evaluated?: UnitEvaluated
  /** Absent while it is being compiled. */
  step?: Step
}

export interface UnitEvaluated {
  props: Evaluated
  items: Evaluated
  readonly hasDynamicProps: boolean
  readonly hasDynamicItems: boolean
}

/** A whole schema, with what its own references can lead to. */
export interface Root {
  readonly schema: unknown
  readonly baseId: string
  /** Schemas that have an anchor and no address, by `#anchor`. */
  readonly anchored: Map<string, unknown>
  readonly dynamicAnchors: Set<string>
  readonly units: Map<unknown, Unit>
}

/** A schema that is being compiled, with what its words need. */
export interface Compiling {
  readonly schema: Schema
  readonly schemaPath: string
  readonly baseId: string
  readonly unit: Unit
  readonly dialect: Dialect
  /** True where only the verdict counts: the check ends at the first problem, as in `not`. */
  readonly stopsAtFirst: boolean
  /** True inside words such as `anyOf`, where a problem does not decide. */
  readonly isComposite: boolean
  props: Evaluated
  items: Evaluated
  /** Compiles a schema inside this one. */
  inner(
    schema: unknown,
    schemaPath: string,
    mode?: { readonly isComposite?: true; readonly stopsAtFirst?: true },
  ): Inner
  /** Returns whether a schema allows every value. */
  allowsAll(schema: unknown): boolean
  /** Finds what a reference leads to. @throws Error when it leads nowhere. */
  refer(ref: string): Unit | { readonly inline: unknown }
  /** Compiles a schema to a unit of its own. */
  unitOf(schema: unknown): Unit
}

export interface Inner {
  readonly step: Step
  readonly props: Evaluated
  readonly items: Evaluated
}

/** Runs a step. @returns whether the value fits. */
export function fits<Data>(step: Step<Data>, data: Data, place: Place | undefined, frame: Frame): boolean {
  const before = frame.problems.length
  step(data, place, frame)
  return frame.problems.length === before
}

/** Returns the step that adds a problem with a word of the schema. */
export function reporter(
  { schema, schemaPath }: Compiling,
  keyword: string,
  message: string,
): (data: unknown, place: Place | undefined, frame: Frame, member?: string) => void {
  return (data, place, { problems }, member) => {
    problems.push({
      keyword,
      at: keysOf(place),
      schemaPath: `${schemaPath}/${keyword}`,
      schema,
      data,
      message,
      ...(member === undefined ? {} : { member }),
    })
  }
}

export function keysOf(place: Place | undefined): readonly string[] {
  const keys: string[] = []
  for (let at = place; at; at = at.above) keys.push(at.key)
  return keys.reverse()
}

/** Adds what an inner schema evaluates to what its schema does. @returns what is to be done when it has run. */
export function mergeInner(
  compiling: Compiling,
  { props, items }: Pick<Inner, 'props' | 'items'>,
  runs: 'always' | 'for some values',
): (slots: Slots) => void {
  const slot = runs === 'always' ? undefined : () => newSlot(compiling.unit)
  const runners: ((slots: Slots) => void)[] = []
  if (compiling.props !== true && props !== undefined) {
    const { result, run } = mergeEvaluated(props, compiling.props, slot)
    compiling.props = result
    runners.push(run)
  }
  if (compiling.items !== true && items !== undefined) {
    const { result, run } = mergeEvaluated(items, compiling.items, slot)
    compiling.items = result
    runners.push(run)
  }
  return (slots) => {
    for (const run of runners) run(slots)
  }
}

export function newSlot(unit: Unit): Slot {
  unit.slotCount += 1
  return new Slot(unit.slotCount - 1)
}

/** Encodes a key for a path of a schema. */
export const pathOf = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
