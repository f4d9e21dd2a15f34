import type { JsonObject } from '@sluice/core'
import { stringify } from '#inlined/yaml'

/** Where an installed package has the JSON Schema of workspace files. */
const schema = './node_modules/sluice/dist/workspace.schema.json'

/** Returns a workspace as a YAML file that editors complete. */
export function workspaceText(workspace: JsonObject): string {
  return `# yaml-language-server: $schema=${schema}\n${stringify(workspace, { lineWidth: 0, aliasDuplicateObjects: false })}`
}
