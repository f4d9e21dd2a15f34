import { isJsonObject, type Workspace } from '@sluice/core'
import { Ajv } from 'ajv'
import { hashOf } from './access-token-of.ts'
import type { Collected, ParseContext, Placed, PlacedTransformation, Sparse } from './parse-context.ts'
import { parseWorkspace } from './parse-workspace.ts'
import { type Problem, unknownMember } from './problems/problem.ts'
import { reportDuplicates } from './problems/report-duplicates.ts'
import { firstPerPath, schemaProblem } from './problems/schema-problem.ts'
import { wellFormedParts } from './well-formed-parts.ts'
import { type WorkspaceForm, type WorkspacesForm, WorkspacesSchema } from './workspace-schema.ts'

/** A test checks the schema itself: doing so at every start would take longer than compiling it. */
const ajv = new Ajv({ allErrors: true, verbose: true, validateSchema: false })
const validate = ajv.compile<WorkspacesForm>(WorkspacesSchema)

export interface ParsedWorkspaces {
  /** Valid only when `problems` is empty. */
  readonly workspaces: readonly Workspace[]
  readonly problems: readonly Problem[]
  /** Every transformation with its location in the definition, to be compiled. */
  readonly transformations: readonly PlacedTransformation[]
  /** Why destinations that come from the API, and are accepted, cannot work yet. */
  readonly unfinished: readonly Problem[]
}

/**
 * Turns the definition of workspaces (with every `file` already read into `code`) into workspaces that can run: applies
 * defaults, validates settings against their destination type, and checks references. Reports all problems together:
 * well-formed parts are checked even when others are malformed. Shows no secrets.
 * @example
 * ```ts
 * import { parseWorkspaces } from '@sluice/configuration'
 * import { createDestinationRegistry } from '@sluice/destinations'
 *
 * const parsed = parseWorkspaces({ workspaces: [{ id: 'shop', sources: [{ id: 'web' }], destinations: [], connections: [] }] }, { destinations: createDestinationRegistry([]), env: {} })
 * console.log(parsed.problems.map(({ path }) => path)) // [ 'workspaces[0].sources[0].writeKey' ]
 * ```
 */
export function parseWorkspaces(definition: unknown, context: ParseContext): ParsedWorkspaces {
  const listed = isJsonObject(definition) ? definition['workspaces'] : undefined
  const { hasOthers = Array.isArray(listed) && listed.length > 1 } = context
  const collected: Collected = { ...context, problems: [], transformations: [], unfinished: [], hasOthers }
  validate(definition)
  collected.problems.push(...firstPerPath((validate.errors ?? []).map(schemaProblem)))
  // What is around an unknown member can be checked.
  const badPaths = collected.problems.flatMap(({ path, value }) => (value === unknownMember ? [] : path))

  const parts = wellFormedParts(definition, badPaths)
  const workspaces = parts.map((part) => parseWorkspace(part, collected))
  const at = <T>(listed: (part: WorkspaceForm) => Sparse<T>, name: string): Sparse<Placed<T>> =>
    parts.flatMap(({ path, definition: part }) =>
      listed(part).flatMap((item, i) =>
        item === undefined ? [] : [{ item, path: `${path}.${name.replace('#', `${i}`)}` }],
      ),
    )
  reportDuplicates(
    parts.map(({ path, definition: part }) => ({ item: part, path: `${path}.id` })),
    ({ id }) => id,
    collected,
  )
  const writeKeys = at(({ sources }) => sources, 'sources[#]').flatMap((source): Sparse<Placed<string>> => {
    if (source === undefined) return []
    const { item, path } = source
    const former = item.formerWriteKey && {
      item: item.formerWriteKey.writeKey,
      path: `${path}.formerWriteKey.writeKey`,
    }
    return [{ item: item.writeKey, path: `${path}.writeKey` }, former]
  })
  reportDuplicates(writeKeys, (writeKey) => writeKey, collected, '(hidden)')
  reportDuplicates(
    at(({ accessTokens = [] }) => accessTokens, 'accessTokens[#].token'),
    ({ token }) => hashOf(token, context.env),
    collected,
    '(hidden)',
  )
  const { problems, transformations, unfinished } = collected
  return { workspaces, problems, transformations, unfinished }
}
