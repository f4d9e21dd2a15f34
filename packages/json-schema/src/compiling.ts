import { type Costs, type StepBudget, spend } from './bounds/steps.ts'
import type { Dialect } from './dialect.ts'
import type { Evaluated, Slots } from './evaluated.ts'
import type { Pattern } from './pattern.ts'
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
  readonly budget: StepBudget
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

/** Where an address leads: a schema, and the whole one that it is a part of. */
export interface Target {
  readonly schema: unknown
  readonly baseId: string
  readonly root: Root
}

/** Schemas by address. The schema that was added last also has the address ''. */
export type Addresses = Map<string, Target>

/** A whole schema, with what its own references can lead to. */
export interface Root {
  readonly schema: unknown
  readonly baseId: string
  /** The words of its draft. */
  readonly vocabulary: Vocabulary
  /** Schemas that have an anchor and no address, by `#anchor`. */
  readonly anchored: Map<string, unknown>
  readonly dynamicAnchors: Set<string>
  readonly units: Map<unknown, Unit>
  /** Where its references lead, by the address around them and their text. */
  readonly targets: Map<string, Target>
  readonly addresses: Addresses
  readonly costs: CompileCosts
}

/** What compiling may still cost, for all schemas of one reader. */
export interface CompileCosts extends Costs {
  readonly budget: StepBudget
  /** Words that references may still copy, see `isWorthInlining`. */
  inlineWordsLeft: number
  /** Compiled patterns, and what is wrong with others, by source. */
  readonly patterns: Map<string, Pattern | Error>
}

/** Compiles a word of a schema. @returns undefined when the word demands nothing. */
export type Word<Value = never, Data = never> = (compiling: Compiling, value: Value) => Step<Data> | undefined

/** Words about values of one type, or of any, by the order in which they are checked. */
export interface Group {
  readonly type?: string
  readonly words: Readonly<Record<string, Word>>
}

/** A group, with its words as a list. */
export interface ListedGroup extends Group {
  readonly list: readonly (readonly [string, Word])[]
}

/** What a dialect knows of JSON Schema. */
export interface Vocabulary {
  readonly dialect: Dialect
  readonly groups: readonly ListedGroup[]
  /** All words that demand something. */
  readonly words: ReadonlySet<string>
  /** Absent where no word asks what others have evaluated, and none refers to other schemas. */
  readonly more?: {
    /** Adds what an inner schema evaluates to what its schema does. @returns what is to be done when it has run. */
    merge(compiling: Compiling, inner: Pick<Inner, 'props' | 'items'>, runs: Runs): (slots: Slots) => void
    /** Returns the types that a schema allows, which may be written in more ways. */
    typesOf(schema: Schema): readonly string[]
    /** The word that gives a schema its address. */
    readonly idWord: 'id' | '$id'
    /** Returns the address of a schema inside another one. */
    baseOf(baseId: string, schema: Schema): string
  }
}

/** Whether an inner schema is checked against every value of its schema. */
export type Runs = 'always' | 'for some values'

/** How a schema is checked. Schemas inside it are checked likewise. */
export interface Mode {
  /** True where only the verdict counts: the check ends at the first problem, as in `not`. */
  readonly stopsAtFirst: boolean
  /** True inside words such as `anyOf`, where a problem does not decide. */
  readonly isComposite: boolean
  /** True for an item of a list with a schema for each position. */
  readonly keepsPlaces: boolean
}

/** A schema that is being compiled, with what its words need. */
export interface Compiling extends Mode {
  readonly schema: Schema
  readonly baseId: string
  readonly unit: Unit
  readonly vocabulary: Vocabulary
  props: Evaluated
  items: Evaluated
  /** Compiles a schema inside this one. */
  inner(schema: unknown, mode?: Partial<Mode>): Inner
  /** Returns whether a schema allows every value. */
  allowsAll(schema: unknown): boolean
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

/** Steps that it takes to note a problem, and keys of its place that take one more. */
const stepsPerProblem = 4
const keysPerStep = 8

/** Returns the step that adds a problem with a word of the schema. */
export function reporter(
  { schema, keepsPlaces }: { readonly schema: unknown; readonly keepsPlaces: boolean },
  keyword: string,
  message: string,
): (data: unknown, place: Place | undefined, frame: Frame, member?: string) => void {
  return (data, place, frame, member) => {
    const at = keysOf(place)
    spend(frame, stepsPerProblem + at.length / keysPerStep)
    frame.problems.push({
      keyword,
      at,
      keepsPlaces,
      schema,
      data,
      message,
      member,
    })
  }
}

function keysOf(place: Place | undefined): readonly string[] {
  const keys: string[] = []
  for (let at = place; at; at = at.above) keys.push(at.key)
  return keys.reverse()
}

/** Adds what an inner schema evaluates to what its schema does. @returns what is to be done when it has run. */
export function mergeInner(
  compiling: Compiling,
  inner: Pick<Inner, 'props' | 'items'>,
  runs: Runs,
): (slots: Slots) => void {
  return compiling.vocabulary.more?.merge(compiling, inner, runs) ?? (() => {})
}
