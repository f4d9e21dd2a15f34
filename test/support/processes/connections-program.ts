/**
 * A process for `startKillable`: opens many connections to a server, reports `connected` when all are open, then sends
 * batches on each of them one after the other, and repeats those answered 503. Reports `sent`: acknowledged, answered
 * 503, broken.
 */
export const connectionsProgram = `
const { connect } = await import('node:net')
const { port, connections, batches, authorization } = JSON.parse(process.argv[1])
// Below the number of connections that a server queues before it accepts them.
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
  // 1,000 new connections per second: more are refused, and a refused one costs the server as much as an accepted one.
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
      // Waits grow and differ between clients, as they should.
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
report('connected', opened.length)
await Promise.all(opened.map(send))
report('sent', { acknowledged, refused, broken })
`
