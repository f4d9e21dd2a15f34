import { printable } from '@sluice/core/printable'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

/** A connection to make on a server. */
export interface NewConnection {
  /** Name of a published transformation. */
  readonly transformation: string
  readonly destinationId: string
}

interface Connected {
  readonly id: string
  readonly name: string
  readonly versionId: string
  readonly publishedVersionId: string | null
  readonly destinations?: readonly { readonly id: string }[]
}

/**
 * Connects published transformations to destinations, in addition to those they are connected to.
 * @throws CliError with the server's reason, for example that the destination has another transformation.
 */
export async function connectAll(flags: ServerFlags, connections: readonly NewConnection[]): Promise<void> {
  for (const { transformation, destinationId } of connections) {
    const { transformations } = await askServer<{ transformations: readonly Connected[] }>(
      flags,
      'GET',
      '/transformations',
    )
    const found = transformations.find(({ name }) => name === transformation)
    if (found === undefined)
      throw new CliError(`--connect ${transformation}: ${flags.url} has no transformation of that name`)
    const before = (found.destinations ?? []).map(({ id }) => id)
    if (!before.includes(destinationId)) {
      // The request publishes the newest version.
      if (found.versionId !== found.publishedVersionId)
        throw new CliError(`--connect ${transformation}: its newest version is not live; publish it first`)
      const body = { publish: true, destinationIds: [...before, destinationId] }
      await askServer(flags, 'POST', `/transformations/${encodeURIComponent(found.id)}`, body).catch(
        (error: unknown) => {
          throw error instanceof CliError
            ? new CliError(`--connect ${transformation}=${destinationId}: ${error.message}`)
            : error
        },
      )
    }
    if (!flags.json) printLine(`${printable(transformation)} runs for ${printable(destinationId)}`)
  }
}
