import type { CompletedCommand } from './command-tree.ts'

/** For zsh with compinit. */
export function zshCompletion(tree: readonly CompletedCommand[]): string {
  const functions = tree.map((command) => functionOf(command))
  return `#compdef sluice
# zsh completion of sluice; source <(sluice completion zsh)
${functions.join('\n')}
compdef ${nameOf('')} sluice
`
}

function functionOf({ path, options, commands, values }: CompletedCommand): string {
  const specs = options.map(({ names, description, values: allowed }) => {
    const value = allowed === undefined ? '' : `:value:${allowed.length > 0 ? `(${allowed.join(' ')})` : '_files'}`
    const [long = '', short] = names
    const forms = short === undefined ? [long] : [long, short]
    return forms
      .map((form) => `    ${quoted(`*${form}[${description.replace(/[[\]:]/g, ' ')}]${value}`)}`)
      .join(' \\\n')
  })
  if (commands.length === 0) {
    const argument = values.length > 0 ? `(${values.join(' ')})` : '_files'
    return `${nameOf(path)}() {\n  _arguments \\\n${[...specs, `    ${quoted(`*:argument:${argument}`)}`].join(' \\\n')}\n}`
  }
  const described = commands.map(({ name, description }) => `      ${quoted(`${name}:${description}`)}`)
  const branches = commands.map(({ name }) => `      ${name}) ${nameOf(`${path} ${name}`)} ;;`)
  return `${nameOf(path)}() {
  local state
  _arguments -C \\
${[...specs, `    '1:command:->command'`, `    '*::argument:->argument'`].join(' \\\n')}
  case $state in
  command)
    local -a commands=(
${described.join('\n')}
    )
    _describe command commands ;;
  argument)
    case $words[1] in
${branches.join('\n')}
    esac ;;
  esac
}`
}

const nameOf = (path: string): string =>
  `_sluice${path.trim() === '' ? '' : `_${path.trim().replaceAll(/[ -]/g, '_')}`}`

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
