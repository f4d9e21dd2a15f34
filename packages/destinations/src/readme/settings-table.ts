import type { DestinationDefinition, SettingsNode } from '../kit/define/define-destination.ts'

/** Returns the settings as a Markdown table, with a row for each setting and each member of its elements. */
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
  /** Displayed name: `headers[].to`. */
  readonly name: string
  /** Path as in `secrets`: `headers.to`. */
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

/** Returns whether a row is a secret or inside one. */
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

/** Escapes bars, which would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
