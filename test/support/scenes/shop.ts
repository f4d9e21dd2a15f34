import type { WorkspaceDefinition } from 'sluice'

/** A small workspace: one source, one webhook. */
export function shop(webhookUrl: string, more: Partial<WorkspaceDefinition> = {}): WorkspaceDefinition {
  return {
    id: 'shop',
    sources: [{ id: 'web', writeKey: 'web-key' }],
    destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl } }],
    connections: [{ source: 'web', destination: 'hook' }],
    ...more,
  }
}
