/**
 * A process for `startKillable`: opens many connections to a server, tells `connected` when all are open, then sends on each
 * of them batches one after the other, again where it is told 503. It tells `sent`: what was acknowledged, told 503, broken.
 */
export const connectionsProgram = `
const { connect } = await import('node:net')
const { port, connections, batches, authorization } = JSON.parse(process.argv[1])
// Fewer at a time than a server keeps waiting to be accepted.
const connectingMax = 200
asked.then(() => process.exit())
const acknowledged = []
let refused = 0
const broken = []
const open = () => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', () => resolve(undefined))
})
const answerOf = (socket) => new Promise((resolve) => {
  let text = ''
  const look = (chunk) => {
    text += chunk
    const [head, body] = text.split('\\r\\n\\r\\n')
    const length = /content-length: (\\d+)/i.exec(head)
    if (body !== undefined && (length === null || body.length >= Number(length[1]))) done(Number(head.slice(9, 12)))
  }
  const gone = () => done(undefined)
  const done = (status) => {
    socket.off('data', look).off('close', gone)
    resolve(status)
  }
  socket.on('data', look).on('close', gone)
})
async function send(socket, n) {
  // 1,000 new ones a second: more than that is refused, and asking in vain costs the server as much.
  await new Promise((resolve) => setTimeout(resolve, connections * Math.random()))
  let waitMs = 200
  for (let batch = 0; batch < batches; ) {
    const messageId = n + '-' + batch
    if (socket.destroyed) {
      broken.push('closed before')
      break
    }
    const body = JSON.stringify({ batch: [{ type: 'track', event: 'E', userId: 'u' + n, messageId }] })
    socket.write('POST /v1/batch HTTP/1.1\\r\\nhost: x\\r\\nauthorization: ' + authorization + '\\r\\ncontent-length: ' + body.length + '\\r\\n\\r\\n' + body)
    const status = await answerOf(socket)
    if (status === 200) acknowledged.push(messageId)
    if (status === 503) {
      refused += 1
      // As clients should: longer and longer, and not all at the same time.
      waitMs = Math.min(5_000, waitMs * 2)
      await new Promise((resolve) => setTimeout(resolve, waitMs * Math.random()))
    } else if (status === 200) batch += 1
    else {
      broken.push(status ?? 'closed')
      break
    }
  }
  socket.destroy()
}
const sockets = []
while (sockets.length < connections)
  sockets.push(...(await Promise.all(Array.from({ length: Math.min(connectingMax, connections - sockets.length) }, open))))
const opened = sockets.filter((socket) => socket)
for (const socket of opened) socket.setEncoding('latin1')
tell('connected', opened.length)
await Promise.all(opened.map(send))
tell('sent', { acknowledged, refused, broken })
`
