/** Code with the libraries it imports, by import name. */
export interface TypedCode {
  readonly code: string
  readonly libraries: Readonly<Record<string, string>>
}

/** Questions to the Worker that knows TypeScript. Places are offsets in the code, from 0. */
export type TypesQuestion =
  | { readonly kind: 'completions'; readonly typed: TypedCode; readonly at: number }
  | { readonly kind: 'problems'; readonly typed: TypedCode }
  | { readonly kind: 'hover'; readonly typed: TypedCode; readonly at: number }
  | { readonly kind: 'strip'; readonly code: string }

export interface TypeCompletion {
  readonly name: string
  /** Kind of the name, such as `property` or `function`. */
  readonly kind: string
}

export interface TypeProblem {
  readonly from: number
  readonly to: number
  readonly message: string
}

export interface TypeHover {
  readonly from: number
  readonly to: number
  /** The type, and what its documentation says. */
  readonly text: string
}

/** Code without types, of the same length and lines; or the line of what cannot be removed, from 1. */
export type Stripped =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly line: number; readonly message: string }

export interface TypesAnswers {
  readonly completions: readonly TypeCompletion[]
  readonly problems: readonly TypeProblem[]
  readonly hover: TypeHover | undefined
  readonly strip: Stripped
}

export type ToTypesWorker = TypesQuestion & { readonly id: number }
export type FromTypesWorker = { readonly id: number } & (
  | { readonly answer: TypesAnswers[keyof TypesAnswers] }
  | { readonly problem: string }
)
