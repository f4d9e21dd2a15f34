import type { DestinationDefinition, SettingsNode } from '../kit/define/define-destination.ts'

/** Longest line of a README, in characters. */
const columnsMax = 120

/** Returns the settings as a Markdown list, with an entry for each setting and each member of its elements. */
export function settingsList({ settings, secrets }: DestinationDefinition): string {
  return settingsOf(settings, '', '')
    .map(({ name, path, node, isRequired }) => {
      const secret = isSecret(path, secrets) ? 'secret' : ''
      const traits = [typeText(node), secret, defaultText(node, isRequired)].filter((trait) => trait !== '')
      return wrapped(`- \`${name}\` (${traits.join('; ')}): ${node.description ?? ''}`)
    })
    .join('\n')
}

/** Breaks an entry at its spaces. Later lines are indented, so that they belong to the entry. */
function wrapped(entry: string): string {
  const [first = '', ...words] = entry.split(' ')
  const lines: string[] = []
  let line = first
  for (const word of words) {
    if (`${line} ${word}`.length <= columnsMax) line += ` ${word}`
    else {
      lines.push(line)
      line = `  ${word}`
    }
  }
  return [...lines, line].join('\n')
}

interface Setting {
  /** Displayed name: `headers[].to`. */
  readonly name: string
  /** Path as in `secrets`: `headers.to`. */
  readonly path: string
  readonly node: SettingsNode
  readonly isRequired: boolean
}

function settingsOf(node: SettingsNode, name: string, path: string): readonly Setting[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, member]) => {
    const setting: Setting = {
      name: `${name}${key}`,
      path: `${path}${key}`,
      node: member,
      isRequired: node.required?.includes(key) ?? false,
    }
    const inside = settingsOf(member.items ?? member, `${setting.name}${member.items ? '[]' : ''}.`, `${setting.path}.`)
    return [setting, ...inside]
  })
}

/** Returns whether a setting is a secret or inside one. */
function isSecret(path: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => path === secret || path.startsWith(`${secret}.`))
}

function typeText(node: SettingsNode): string {
  const { enum: choices, anyOf, type } = node as { enum?: unknown[]; anyOf?: SettingsNode[]; type?: unknown }
  if (choices) return choices.map((choice) => `\`${String(choice) || '""'}\``).join(', ')
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
  if ('default' in node) return `default \`${JSON.stringify(node['default'])}\``
  return isRequired ? 'required' : ''
}
