import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import type { PlannedConnection } from './code-plan.ts'

/** Connects published transformations with destinations, each in one step. */
export async function connectCode(flags: ServerFlags, connections: readonly PlannedConnection[]): Promise<void> {
  if (connections.length === 0) return
  const { transformations } = await askServer<{
    transformations: readonly { readonly id: string; readonly name: string }[]
  }>(flags, 'GET', '/transformations')
  for (const { destination, transformation } of connections) {
    const found = transformations.find(({ name }) => name === transformation)
    if (found === undefined) throw new CliError(`${flags.url} has no transformation ${transformation} any more`)
    const path = `/v2/destinations/${encodeURIComponent(destination)}/transformation`
    await askServer(flags, 'PUT', path, { transformationId: found.id })
  }
}
