import type { DestinationDefinition, SettingsNode } from '../kit/define/define-destination.ts'

/** The settings as a table in Markdown: one row for each, and for each member of their elements. */
export function settingsTable({ settings, secrets }: DestinationDefinition): string {
  const rows = rowsOf(settings, '', '').map(({ name, path, node, isRequired }) => [
    `\`${name}\``,
    typeText(node),
    defaultText(node, isRequired),
    isSecret(path, secrets) ? 'yes' : '',
    node.description ?? '',
  ])
  return [['name', 'type', 'default', 'secret', 'description'], Array(5).fill('---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n')
}

interface Row {
  /** As people write it: `headers[].to`. */
  readonly name: string
  /** As `secrets` has it: `headers.to`. */
  readonly path: string
  readonly node: SettingsNode
  readonly isRequired: boolean
}

function rowsOf(node: SettingsNode, name: string, path: string): readonly Row[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, member]) => {
    const row: Row = {
      name: `${name}${key}`,
      path: `${path}${key}`,
      node: member,
      isRequired: node.required?.includes(key) ?? false,
    }
    const inside = rowsOf(member.items ?? member, `${row.name}${member.items ? '[]' : ''}.`, `${row.path}.`)
    return [row, ...inside]
  })
}

/** A secret may be the parent of what is shown, too. */
function isSecret(path: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => path === secret || path.startsWith(`${secret}.`))
}

function typeText(node: SettingsNode): string {
  const { enum: choices, anyOf, type } = node as { enum?: unknown[]; anyOf?: SettingsNode[]; type?: unknown }
  if (choices) return choices.map((choice) => `\`${String(choice)}\``).join(', ')
  if (anyOf) return anyOf.map(typeText).join(' or ')
  if (type === undefined) return 'anything'
  return [type].flat().map(nameOfType).join(' or ')
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
}

function nameOfType(type: unknown): string {
  return typeNames[String(type)] ?? String(type)
}

function defaultText(node: SettingsNode, isRequired: boolean): string {
  if ('default' in node) return `\`${JSON.stringify(node['default'])}\``
  return isRequired ? 'required' : ''
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
