// A utility process of the lab: answers each message with its type, and ends itself when told a code.
process.parentPort.on('message', ({ data }) => {
  if (typeof data === 'number') process.exit(data)
  process.parentPort.postMessage([process.type, data])
})
