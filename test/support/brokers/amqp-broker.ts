import { startTcpServer } from './tcp-server.ts'

const protocolHeader = 'AMQP'
const startOk = method(10, 11)
const open = method(10, 40)

/** Starts a broker that opens connections as AMQP 0-9-1 says, and then says nothing more. */
export function startMuteAmqpBroker() {
  return startTcpServer((socket) => {
    socket.on('data', (bytes) => {
      if (bytes.toString('latin1', 0, 4) === protocolHeader) socket.write(frame(10, 10, start()))
      // Tune: as many channels and as large frames as the client likes, no heartbeats.
      else if (bytes.includes(startOk)) socket.write(frame(10, 30, Buffer.alloc(8)))
      if (bytes.includes(open)) socket.write(frame(10, 41, Buffer.alloc(1)))
    })
  })
}

/** Version 0-9, no properties, one mechanism, one locale. */
function start(): Buffer {
  return Buffer.concat([Buffer.from([0, 9]), longText(''), longText('PLAIN'), longText('en_US')])
}

function longText(text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, Buffer.from(text)])
}

function method(classId: number, methodId: number): Buffer {
  return Buffer.from([0, classId, 0, methodId])
}

/** A frame of channel 0 with a method. */
function frame(classId: number, methodId: number, fields: Buffer): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(4 + fields.length, 3)
  return Buffer.concat([head, method(classId, methodId), fields, Buffer.from([0xce])])
}
