var met int32
var all sync.WaitGroup
for i := 0; i < 5; i++ {
	all.Add(1)
	go func() {
		defer all.Done()
		if MustCallTool[bool]("meet") {
			atomic.AddInt32(&met, 1)
		}
	}()
}
all.Wait()
fmt.Println(met)
