import { Ajv } from 'ajv'
import { AccessToken, Connection, Destination, Source } from '../workspace-schema.ts'
import type { Problem } from './problem.ts'
import { firstPerPath, schemaProblem } from './schema-problem.ts'

const schemas = { sources: Source, destinations: Destination, connections: Connection, accessTokens: AccessToken }
const ajv = new Ajv({ allErrors: true, verbose: true, validateSchema: false })

/** Lists of a workspace whose elements can be checked by themselves. */
export type ElementList = keyof typeof schemas

/** Returns what is wrong with the form of one element of a workspace. Paths are within the element; shows no secrets. */
export function elementProblems(list: ElementList, element: unknown): readonly Problem[] {
  // Compiled with the first change, not with each start; ajv keeps what it has compiled.
  const validate = ajv.compile(schemas[list])
  if (validate(element)) return []
  const place = `workspaces[0].${list}[0]`
  const problems = (validate.errors ?? []).map((error) =>
    // What may be shown depends on the whole place.
    schemaProblem({ ...error, instancePath: `/workspaces/0/${list}/0${error.instancePath}` }),
  )
  return firstPerPath(problems).map((problem) => ({ ...problem, path: problem.path.slice(place.length + 1) }))
}
