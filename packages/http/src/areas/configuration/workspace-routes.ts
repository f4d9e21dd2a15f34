import type { Configuration, ConfigurationEntry } from '@sluice/configuration'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { area, etag, ifMatch, one, ValidateQuery, WorkspaceBody, WorkspaceRecord } from './configuration-schemas.ts'
import { shownEntry } from './shown-entry.ts'
import { parseIfMatch, recordAnswer, toAnswer } from './to-answer.ts'

const path = '/v2/workspace'
const kind = 'workspace'

/** Creates the routes that show the workspace of a token and change its name. */
export function workspaceRoutes(
  gate: TokenGate,
  configuration: Configuration,
  addressOf: (url: string) => string,
): readonly Route[] {
  const shown = (entry: ConfigurationEntry, origin: string) => ({
    workspace: shownEntry(entry, {
      showSecrets: false,
      ...entry.body,
      environment: 'PRODUCTION',
      status: 'ACTIVE',
      region: 'self-hosted',
      dataPlaneURL: addressOf(origin),
    }),
  })
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
      handle: ({ workspace: { id }, origin }) => {
        const entry = configuration.find(id, kind, id)
        if (entry === undefined) return problem('workspaceUnknown', `workspace ${id} is gone`)
        return entry.revision === undefined ? answer(shown(entry, origin)) : recordAnswer(entry, shown(entry, origin))
      },
    }),
    gate.route({
      method: 'put',
      path,
      operationId: 'updateWorkspace',
      summary: 'Rename the workspace, or change whether secrets are shown',
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
      handle: async ({ workspace: { id }, query, body, header, origin }) => {
        const condition = parseIfMatch(header('if-match'))
        if ('status' in condition) return condition
        const { name, showSecrets } = body
        const members = {
          name,
          showSecrets,
        }
        const change = { action: 'update', kind, id, ...condition, body: members } as const
        const options = { validateOnly: query.validate === true }
        return toAnswer(await configuration.change(id, [change], options), ([entry]) =>
          entry ? recordAnswer(entry, shown(entry, origin)) : noContent,
        )
      },
    }),
  ]
}
