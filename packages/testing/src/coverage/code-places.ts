import type { AnyNode } from 'acorn'

/** A place with a probe; lines count from 1. */
export interface ProbePlace {
  readonly probe: number
  readonly line: number
}

interface FunctionPlace extends ProbePlace {
  readonly name: string
}

/**
 * `if` and `conditional` have two paths, even without `else`; `switch` has one per case, also passed by falling
 * through; `logical` has one per operand of a chain of `&&`, `||` and `??`; `default` is the one path of a default
 * value, or of an assignment like `??=`.
 */
export type BranchKind = 'if' | 'conditional' | 'switch' | 'logical' | 'default'

interface BranchPlace {
  readonly kind: BranchKind
  readonly line: number
  readonly paths: readonly ProbePlace[]
}

/** Places of the probes in code. */
export interface CodePlaces {
  readonly statements: readonly ProbePlace[]
  readonly functions: readonly FunctionPlace[]
  readonly branches: readonly BranchPlace[]
}

/** Numbers the places of one source in order of occurrence. */
interface PlaceList extends CodePlaces {
  statement(node: AnyNode): ProbePlace
  /** @param name the function's name, if it has one. */
  function(node: AnyNode, name: string | undefined): FunctionPlace
  /** @returns a function that adds a path to the branch. */
  branch(kind: BranchKind, node: AnyNode): (path: AnyNode) => ProbePlace
}

/** @param nextProbe assigns a number to each place. */
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
