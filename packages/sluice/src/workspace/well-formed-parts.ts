import { isJsonObject, type JsonObject } from '@sluice/core'
import type { WorkspaceDefinition } from './workspace-schema.ts'

/**
 * What can be looked at of a definition that does not have the right form as a whole: the workspaces of which at least
 * the lists are lists. Malformed elements of a list are undefined, in their places, so that indexes still tell where.
 *
 * @param badPaths where the form is wrong, as problems tell it.
 */
export function wellFormedParts(
  definition: unknown,
  badPaths: readonly string[],
): readonly { readonly path: string; readonly definition: WorkspaceDefinition }[] {
  const listed = isJsonObject(definition) ? definition['workspaces'] : undefined
  if (!Array.isArray(listed)) return []
  return listed.flatMap((workspace: unknown, i) => {
    const path = `workspaces[${i}]`
    return isJsonObject(workspace) ? [{ path, definition: withoutMalformed(workspace, path, badPaths) }] : []
  })
}

const lists = ['sources', 'destinations', 'connections', 'accessTokens', 'libraries']

function withoutMalformed(workspace: JsonObject, path: string, badPaths: readonly string[]): WorkspaceDefinition {
  const isBad = (at: string): boolean => badPaths.some((bad) => bad === at || bad.startsWith(`${at}.`))
  const kept = Object.fromEntries(
    lists.map((name) => {
      const value = workspace[name]
      const items: readonly unknown[] = Array.isArray(value) ? value : []
      return [name, items.map((item, i) => (isBad(`${path}.${name}[${i}]`) ? undefined : item))]
    }),
  )
  const whole = ['name', 'credentials'].flatMap((member): [string, unknown][] =>
    workspace[member] === undefined || isBad(`${path}.${member}`) ? [] : [[member, workspace[member]]],
  )
  // Every element that is left was found well-formed by the schema.
  return {
    id: isBad(`${path}.id`) ? '' : workspace['id'],
    ...Object.fromEntries(whole),
    ...kept,
  } as unknown as WorkspaceDefinition
}
