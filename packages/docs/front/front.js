// The first page of the documentation: colours of its code, and the transformation that a reader can change and run.

/** What the transformation runs on. */
const events = [
  {
    type: 'track',
    event: 'Order Completed',
    userId: 'u-1',
    properties: { total: 99.5, note: 'Call +1 202 555 0143 or write to grace@example.com' },
  },
  { type: 'track', event: 'Page Pinged', userId: 'u-1', properties: { seconds: 15 } },
]
/** How long a reader does not write before the code runs. */
const pauseMs = 350

const find = (id) => document.getElementById(id)
const [code, colours, results, state] = ['code', 'colours', 'results', 'state'].map(find)

/** Kinds of what is coloured, in the order of the groups. */
const kinds = ['note', 'text', 'word', 'number']
const parts =
  /(\/\/.*)|('[^'\n]*'|"[^"\n]*"|`[^`]*`)|\b(import|from|export|async|await|function|return|const|let|if|else|for|of|new|true|false|null|undefined)\b|\b(\d[\d_.]*)\b/g

/** Shows a text with its words in colours. */
function colour(element, text) {
  const nodes = []
  let end = 0
  for (const match of text.matchAll(parts)) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)]
    nodes.push(text.slice(end, match.index), spanOf(kind, match[0]))
    end = match.index + match[0].length
  }
  element.replaceChildren(...nodes, text.slice(end))
}

function spanOf(kind, text) {
  const span = document.createElement('span')
  span.className = kind
  span.textContent = text
  return span
}

function paragraph(kind, text) {
  const element = document.createElement('p')
  element.className = kind
  element.textContent = text
  return element
}

function shown(event, tried) {
  if ('dropped' in tried) return [paragraph('dropped', `${event.event}: dropped, ${tried.dropped}`)]
  if ('error' in tried) {
    const line = tried.line === undefined ? '' : `line ${tried.line}, `
    return [paragraph('error', `${event.event}: failed, ${line}${tried.error.split('\n')[0]}`)]
  }
  return tried.outputs.map((output) => {
    const element = document.createElement('pre')
    colour(element, JSON.stringify(output, null, 2))
    return element
  })
}

/** Counts runs: the result of an older one is not shown over that of a newer one. */
let newest = 0

async function run() {
  newest += 1
  const own = newest
  state.textContent = 'running'
  try {
    // With the first key: the sandbox is larger than this page.
    const { tryCode } = await import('../playground/try.js')
    const tried = await tryCode(code.value, events)
    if (own !== newest) return
    results.replaceChildren(...events.flatMap((event, index) => shown(event, tried[index])))
    state.textContent = 'as in production'
  } catch (error) {
    if (own !== newest) return
    results.replaceChildren(paragraph('error', `The sandbox cannot be loaded: ${error.message}`))
    state.textContent = ''
  }
}

const follow = () => {
  colours.scrollTop = code.scrollTop
  colours.scrollLeft = code.scrollLeft
}
let timer
const changed = () => {
  // A last line without text would be cut off.
  colour(colours, `${code.value}\n`)
  follow()
}

changed()
code.parentElement.classList.add('coloured')
colour(find('embed-code').firstElementChild, find('embed-code').textContent)
for (const element of results.querySelectorAll('pre')) colour(element, element.textContent)
code.addEventListener('scroll', follow)
code.addEventListener('input', () => {
  changed()
  clearTimeout(timer)
  timer = setTimeout(run, pauseMs)
})
find('run').addEventListener('click', run)
