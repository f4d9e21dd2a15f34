import type { AnyNode } from 'acorn'

/** A place with a probe; lines are from 1. */
export interface ProbePlace {
  readonly probe: number
  readonly line: number
}

export interface FunctionPlace extends ProbePlace {
  readonly name: string
}

/**
 * `if` and `conditional` have two paths, an `else` that is not there included; `switch` one per case, passed also by falling
 * through; `logical` one per operand of a chain of `&&`, `||` and `??`; `default` the one path of a default value, or of an
 * assignment like `??=`.
 */
export type BranchKind = 'if' | 'conditional' | 'switch' | 'logical' | 'default'

export interface BranchPlace {
  readonly kind: BranchKind
  readonly line: number
  readonly paths: readonly ProbePlace[]
}

/** Where code has which probes. */
export interface CodePlaces {
  readonly statements: readonly ProbePlace[]
  readonly functions: readonly FunctionPlace[]
  readonly branches: readonly BranchPlace[]
}

/** Numbers the places of one text as they are met. */
export interface PlaceList extends CodePlaces {
  statement(node: AnyNode): ProbePlace
  /** @param name where it has one. */
  function(node: AnyNode, name: string | undefined): FunctionPlace
  /** @returns what adds a path to it. */
  branch(kind: BranchKind, node: AnyNode): (path: AnyNode) => ProbePlace
}

/** @param nextProbe gives each place its number. */
export function createPlaceList(nextProbe: () => number, lineOf: (offset: number) => number): PlaceList {
  const statements: ProbePlace[] = []
  const functions: FunctionPlace[] = []
  const branches: BranchPlace[] = []
  let anonymous = 0
  const placeOf = (node: AnyNode): ProbePlace => ({ probe: nextProbe(), line: lineOf(node.start) })
  const added = <T>(list: T[], place: T): T => {
    list.push(place)
    return place
  }
  return {
    statements,
    functions,
    branches,
    statement: (node) => added(statements, placeOf(node)),
    function(node, name) {
      if (name === undefined) anonymous += 1
      return added(functions, { ...placeOf(node), name: name ?? `(anonymous_${anonymous})` })
    },
    branch(kind, node) {
      const paths: ProbePlace[] = []
      branches.push({ kind, line: lineOf(node.start), paths })
      return (path) => added(paths, placeOf(path))
    },
  }
}
