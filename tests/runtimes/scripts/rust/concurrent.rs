use std::thread;

let met = thread::scope(|scope| {
    let calls: Vec<_> = (0..5).map(|_| scope.spawn(|| call_tool::<bool>("meet", ()))).collect();
    calls.into_iter().map(|call| call.join().unwrap()).collect::<Result<Vec<_>, _>>()
})?;
println!("{}", met.into_iter().filter(|yes| *yes).count());
