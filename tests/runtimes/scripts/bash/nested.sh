outer
