import { type CompletedCommand, idsCommand } from './command-tree.ts'

/** Returns a completion script for bash 3.2 and later, which macOS has: without associative arrays. */
export function bashCompletion(tree: readonly CompletedCommand[]): string {
  const cases = tree.flatMap(({ path, options, commands, values, lists }) => {
    const words = [...commands.map(({ name }) => name), ...values, ...options.flatMap(({ names }) => names)]
    return [`    '${path}') words='${words.join(' ')}'${withIds(lists)} ;;`]
  })
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const choices = tree.flatMap(({ path, options }) =>
    options.flatMap(({ names, values, lists }) =>
      values === undefined
        ? []
        : names.map((name) => `    '${path} ${name}') words='${values.join(' ')}'${withIds(lists)}; isValue=1 ;;`),
    ),
  )
  return `# bash completion of sluice; source <(sluice completion bash)
_sluice() {
  local path='' word words='' isValue=0 current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $previous" in
${choices.join('\n')}
  esac
  if [ "$isValue" = 0 ]; then
    case "$path" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Completes files where no word fits.
complete -o default -F _sluice sluice
`
}

/** Adds the ids of a server, unless an option is being typed. */
function withIds(lists: CompletedCommand['lists']): string {
  return lists.length === 0 ? '' : `; [[ $current == -* ]] || words="$words $(${idsCommand(lists)})"`
}
