import type { Configuration } from '@sluice/configuration'
import { answer, noContent, problem } from '../../gate/answer.ts'
import type { TokenGate } from '../../gate/token-gate.ts'
import type { Route } from '../../routing/route.ts'
import { area, etag, ifMatch, one, ValidateQuery, WorkspaceBody, WorkspaceRecord } from './configuration-schemas.ts'
import { shownEntry } from './shown-entry.ts'
import { parseIfMatch, recordAnswer, toAnswer } from './to-answer.ts'

const path = '/v2/workspace'
const kind = 'workspace'

/** Creates the routes that show the workspace of a token and change its name. */
export function workspaceRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  const responses = { 200: { description: 'The workspace.', headers: etag, schema: one('workspace', WorkspaceRecord) } }
  return [
    gate.route({
      method: 'get',
      path,
      operationId: 'getWorkspace',
      summary: 'The workspace of the token',
      area,
      scopes: ['read'],
      responses,
      errors: ['workspaceUnknown'],
      handle: ({ workspace: { id } }) => {
        const entry = configuration.find(id, kind, id)
        if (entry === undefined) return problem('workspaceUnknown', `workspace ${id} is gone`)
        return entry.revision === undefined
          ? answer({ workspace: shownEntry(entry, entry.body) })
          : recordAnswer(entry, { workspace: shownEntry(entry, entry.body) })
      },
    }),
    gate.route({
      method: 'put',
      path,
      operationId: 'updateWorkspace',
      summary: 'Rename the workspace',
      area,
      scopes: ['admin'],
      query: ValidateQuery,
      headers: ifMatch,
      body: WorkspaceBody,
      responses,
      errors: [
        'recordUnknown',
        'recordChanged',
        'managedByFile',
        'configurationInvalid',
        'configurationBusy',
        'ifMatchInvalid',
      ],
      handle: async ({ workspace: { id }, query, body, header }) => {
        const condition = parseIfMatch(header('if-match'))
        if ('status' in condition) return condition
        const { name } = body
        const change = { action: 'update', kind, id, ...condition, body: name === undefined ? {} : { name } } as const
        const options = { validateOnly: query.validate === true }
        return toAnswer(await configuration.change(id, [change], options), ([entry]) =>
          entry ? recordAnswer(entry, { workspace: shownEntry(entry, entry.body) }) : noContent,
        )
      },
    }),
  ]
}
