// Imported by a process whose wall clock is to jump: an hour ahead at a signal, and back at the next one.
const real = Date.now
let ahead = 0
Date.now = () => real() + ahead
process.on('SIGUSR2', () => {
  ahead = ahead === 0 ? 3_600_000 : 0
})
