import { type CompletedCommand, idsCommand } from './command-tree.ts'

/** For zsh with compinit. */
export function zshCompletion(tree: readonly CompletedCommand[]): string {
  const functions = tree.map((command) => functionOf(command))
  return `#compdef sluice
# zsh completion of sluice; source <(sluice completion zsh)
${functions.join('\n')}
compdef ${nameOf('')} sluice
`
}

function functionOf({ path, options, commands, values, lists }: CompletedCommand): string {
  const specs = options.map(({ names, description, values: allowed, lists: ofOption }) => {
    const value = allowed === undefined ? '' : `:value:${actionOf(allowed, ofOption)}`
    const [long = '', short] = names
    const forms = short === undefined ? [long] : [long, short]
    return forms
      .map((form) => `    ${quoted(`*${form}[${description.replace(/[[\]:]/g, ' ')}]${value}`)}`)
      .join(' \\\n')
  })
  if (commands.length === 0) {
    const argument = actionOf(values, lists)
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

/** What completes a value: a list, the ids of a server, or files. */
function actionOf(values: readonly string[], lists: CompletedCommand['lists']): string {
  if (lists.length > 0) return `{compadd -- $(${idsCommand(lists)})}`
  return values.length > 0 ? `(${values.join(' ')})` : '_files'
}

const nameOf = (path: string): string =>
  `_sluice${path.trim() === '' ? '' : `_${path.trim().replaceAll(/[ -]/g, '_')}`}`

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
