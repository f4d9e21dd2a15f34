import type { Workspace } from '@sluice/core'
import { type DestinationRegistry, maskSettings } from '@sluice/destinations'
import { Hono } from 'hono'
import { type Authenticated, requireToken } from './workspace-access.ts'

export interface ConfigurationOptions {
  readonly workspaces: () => readonly Workspace[]
  readonly destinations: DestinationRegistry
}

/**
 * What a workspace consists of: `GET /v2/sources` and `GET /v2/destinations`, of the token's workspace only, with
 * secret settings masked. Sources: interface spec 4.2 rule 3 (where ids come from); the list form is the reference's.
 */
export function createConfigurationArea({ workspaces, destinations }: ConfigurationOptions): Hono {
  const area = new Hono<Authenticated>()
  area.use('/v2/sources', requireToken(workspaces))
  area.use('/v2/destinations', requireToken(workspaces))

  area.get('/v2/sources', (c) => {
    const { sources } = c.var.workspace
    return c.json({ sources, paging: { total: sources.length } })
  })

  area.get('/v2/destinations', (c) => {
    const listed = c.var.workspace.destinations.map(({ settings, transformation, ...destination }) => {
      const definition = destinations.get(destination.type)
      return {
        ...destination,
        config: definition ? maskSettings(definition, settings) : {},
        ...(transformation
          ? { transformation: { name: transformation.name, versionId: transformation.versionId } }
          : {}),
      }
    })
    return c.json({ destinations: listed, paging: { total: listed.length } })
  })
  return new Hono().route('/', area)
}
