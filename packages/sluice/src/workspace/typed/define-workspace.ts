import type { DestinationSource } from '@sluice/destinations'
import type { WorkspaceDefinition } from './workspace-definition.ts'

/**
 * Returns a workspace as it is, with its types checked: settings by the type of their destination, and connections by the
 * ids of sources and destinations. For workspaces that are written apart from the call of `createSluice`.
 *
 * @param destinations the definitions that will be passed to `createSluice`, so that their types are known.
 * @example
 * ```ts
 * import { defineWorkspace } from 'sluice'
 *
 * const workspace = defineWorkspace({
 *   id: 'shop',
 *   sources: [{ id: 'web', writeKey: 'web-key' }],
 *   destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'https://hook.test/in' } }],
 *   connections: [{ source: 'web', destination: 'hook' }],
 * })
 * console.log(workspace.destinations.length) // 1
 * ```
 */
export function defineWorkspace<
  const SourceId extends string,
  const DestinationId extends string,
  const From extends string,
  const To extends string,
  Own extends DestinationSource = never,
>(
  workspace: WorkspaceDefinition<SourceId, DestinationId, Own, From, To>,
  _destinations?: readonly Own[],
): WorkspaceDefinition<SourceId, DestinationId, Own, From, To> {
  return workspace
}
